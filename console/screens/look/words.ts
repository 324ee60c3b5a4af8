/** Words of the look screen. */
import type { PreviewScreen } from '#contract/preview-address.ts'
import type { PicturePlace } from '#contract/merchant/pictures.ts'
import type { WordsOf } from '../../words/language.tsx'
import type { PictureProblem } from './shrink-picture.ts'

interface LookWords {
  readonly title: string
  readonly edit: string
  readonly preview: string
  readonly previewTitle: (shop: string) => string
  readonly screen: string
  readonly screens: Readonly<Record<PreviewScreen, string>>
  readonly language: string
  readonly width: string
  readonly widths: Readonly<Record<'phone' | 'wide', string>>
  readonly pictures: Readonly<Record<PicturePlace, string>>
  readonly pictureHints: Readonly<Record<PicturePlace, string>>
  readonly pictureProblems: Readonly<Record<PictureProblem, string>>
  readonly noPicture: string
  readonly pictureInUse: string
  readonly pictureInUseOf: (size: string) => string
  readonly newPicture: (size: string, kilobytes: string) => string
  readonly removedPicture: string
  readonly choosePicture: string
  readonly takePhoto: string
  readonly dropPicture: string
  readonly workingOnPicture: string
  readonly removePicture: string
  readonly undoPicture: string
  readonly unsaved: (count: number) => string
  readonly discard: string
  readonly readOnly: string
  readonly conflictTitle: string
  readonly conflictText: string
  readonly conflictMerged: string
  readonly mine: (value: string) => string
  readonly theirs: (value: string) => string
  readonly takeMine: (field: string) => string
  readonly takeTheirs: (field: string) => string
  readonly none: string
  readonly yes: string
  readonly no: string
  readonly sampleSubject: string
  readonly sampleRemarks: string
}

export const lookWords: WordsOf<LookWords> = {
  ja: {
    title: 'デザインと設定',
    edit: '設定',
    preview: 'プレビュー',
    previewTitle: (shop) => `${shop}の決済ページのプレビュー`,
    screen: '画面',
    screens: { creditcard: 'カード入力', complete: '支払い完了', refunded: '返金完了', error: '期限切れ' },
    language: '言語',
    width: '画面の幅',
    widths: { phone: 'スマートフォン', wide: 'パソコン' },
    pictures: { logo: 'ロゴ', cover: 'カバー画像' },
    pictureHints: {
      logo: '決済ページでショップ名の代わりに表示されます。',
      cover: '決済ページの上部に表示されます。横長の写真が向いています。',
    },
    pictureProblems: {
      'too large': 'ファイルが大きすぎます。40MBまでの画像をお選びください。',
      unreadable: 'この画像はこのブラウザーでは読み込めません。JPEGかPNGの画像をお選びください。',
      'not shown': 'この画像はここに表示できませんでした。そのまま保存できます。',
    },
    noPicture: '設定されていません。',
    pictureInUse: '使用中です。',
    pictureInUseOf: (size) => `使用中です（${size}）。`,
    newPicture: (size, kilobytes) => `新しい画像（${size}、${kilobytes} kB）。まだ保存されていません。`,
    removedPicture: '削除します。まだ保存されていません。',
    choosePicture: '画像を選ぶ',
    takePhoto: '写真を撮る',
    dropPicture: 'ここに画像をドラッグすることもできます。',
    workingOnPicture: '画像を準備しています…',
    removePicture: '削除',
    undoPicture: '元に戻す',
    unsaved: (count) => `保存していない変更が${count}件あります。`,
    discard: '変更を取り消す',
    readOnly: '設定を変更できるのはオーナーだけです。',
    conflictTitle: 'ほかの人が設定を変更しました',
    conflictText: '同じ項目が別の内容に変更されています。どちらを使うか選んでから、もう一度保存してください。',
    conflictMerged:
      'ほかの人が行った変更を取り込みました。あなたの変更はまだ保存されていません。確認して、もう一度保存してください。',
    mine: (value) => `あなたの変更: ${value}`,
    theirs: (value) => `保存されている内容: ${value}`,
    takeMine: (field) => `${field}: あなたの変更を使う`,
    takeTheirs: (field) => `${field}: 保存されている内容を使う`,
    none: 'なし',
    yes: 'はい',
    no: 'いいえ',
    sampleSubject: '煎茶 100g',
    sampleRemarks: 'ご注文ありがとうございます。',
  },
  'en-US': {
    title: 'Look and settings',
    edit: 'Settings',
    preview: 'Preview',
    previewTitle: (shop) => `Preview of the payment page of ${shop}`,
    screen: 'Screen',
    screens: { creditcard: 'Card form', complete: 'Paid', refunded: 'Refunded', error: 'Expired' },
    language: 'Language',
    width: 'Width',
    widths: { phone: 'Phone', wide: 'Computer' },
    pictures: { logo: 'Logo', cover: 'Cover' },
    pictureHints: {
      logo: 'On the payment page in place of the shop’s name.',
      cover: 'At the top of the payment page. A wide photo looks best.',
    },
    pictureProblems: {
      'too large': 'This file is too large. Choose a picture of at most 40 MB.',
      unreadable: 'This browser cannot read this picture. Choose a JPEG or PNG file.',
      'not shown': 'This picture could not be shown here. You can still save it.',
    },
    noPicture: 'None yet.',
    pictureInUse: 'In use.',
    pictureInUseOf: (size) => `In use (${size}).`,
    newPicture: (size, kilobytes) => `A new picture (${size}, ${kilobytes} kB), not saved yet.`,
    removedPicture: 'Will be removed, not saved yet.',
    choosePicture: 'Choose a picture',
    takePhoto: 'Take a photo',
    dropPicture: 'You can also drag a picture here.',
    workingOnPicture: 'Preparing the picture…',
    removePicture: 'Remove',
    undoPicture: 'Undo',
    unsaved: (count) => (count === 1 ? '1 change is not saved.' : `${count} changes are not saved.`),
    discard: 'Discard changes',
    readOnly: 'Only an owner of the shop can change the settings.',
    conflictTitle: 'Somebody else has changed the settings',
    conflictText: 'The same field now has another value. Choose which one to use, then save again.',
    conflictMerged: 'Their changes are shown here. Yours are not saved yet: look at them and save again.',
    mine: (value) => `Yours: ${value}`,
    theirs: (value) => `Saved: ${value}`,
    takeMine: (field) => `${field}: use yours`,
    takeTheirs: (field) => `${field}: use the saved one`,
    none: 'none',
    yes: 'yes',
    no: 'no',
    sampleSubject: 'Sencha, 100 g',
    sampleRemarks: 'Thank you for your order.',
  },
}
