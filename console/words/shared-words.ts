/** Words that many screens of the console share. */
import type { Role } from '#contract/console/roles.ts'
import type { WordsOf } from './language.tsx'

interface SharedWords {
  readonly loading: string
  readonly retry: string
  readonly reload: string
  readonly cancel: string
  readonly close: string
  readonly save: string
  readonly saved: string
  readonly copy: string
  readonly copied: string
  readonly copyFailed: string
  readonly back: string
  readonly more: string
  readonly required: string
  readonly failedTitle: string
  readonly notReadAgain: string
  readonly moreNotRead: string
  readonly notAllowedTitle: string
  /** By the role that the screen needs. */
  readonly notAllowedText: Readonly<Record<Role, string>>
  readonly roles: Readonly<Record<Role, string>>
  readonly modes: Readonly<Record<'test' | 'live', string>>
  readonly languages: Readonly<Record<'ja' | 'en-US', string>>
}

const languages = { ja: '日本語', 'en-US': 'English' }

export const sharedWords: WordsOf<SharedWords> = {
  ja: {
    loading: '読み込んでいます',
    retry: 'もう一度試す',
    reload: '再読み込み',
    cancel: 'キャンセル',
    close: '閉じる',
    save: '保存',
    saved: '保存しました。',
    copy: 'コピー',
    copied: 'コピーしました。',
    copyFailed: 'コピーできませんでした。選択してコピーしてください。',
    back: '戻る',
    more: 'もっと見る',
    required: '入力してください。',
    failedTitle: '表示できません',
    notReadAgain: '最新の内容を読み込めず、前回の内容を表示しています。',
    moreNotRead: '続きを読み込めませんでした。',
    notAllowedTitle: '権限がありません',
    notAllowedText: {
      owner: 'この画面は、このショップのオーナーだけが使えます。オーナーにご相談ください。',
      staff: 'この画面は、このショップのオーナーとスタッフだけが使えます。オーナーにご相談ください。',
      viewer: 'この画面は、このショップのメンバーだけが使えます。オーナーにご相談ください。',
    },
    roles: { owner: 'オーナー', staff: 'スタッフ', viewer: '閲覧のみ' },
    modes: { test: 'テスト', live: '本番' },
    languages,
  },
  'en-US': {
    loading: 'Loading',
    retry: 'Try again',
    reload: 'Reload',
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saved: 'Saved.',
    copy: 'Copy',
    copied: 'Copied.',
    copyFailed: 'Could not copy. Select the text and copy it.',
    back: 'Back',
    more: 'Show more',
    required: 'Enter something here.',
    failedTitle: 'This cannot be shown',
    notReadAgain: 'This could not be read again, and may be old.',
    moreNotRead: 'The rest could not be read.',
    notAllowedTitle: 'Not allowed',
    notAllowedText: {
      owner: 'Only owners of this shop can use this screen. Ask one of them.',
      staff: 'Only owners and staff of this shop can use this screen. Ask an owner.',
      viewer: 'Only people of this shop can use this screen. Ask an owner.',
    },
    roles: { owner: 'Owner', staff: 'Staff', viewer: 'Viewer' },
    modes: { test: 'Test', live: 'Live' },
    languages,
  },
}
