/** Words that many screens of the console share. */
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
  readonly notAllowedTitle: string
  /** `role` is the name of a role in this language. */
  readonly notAllowedText: (role: string) => string
  readonly roles: Readonly<Record<'owner' | 'staff' | 'viewer', string>>
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
    notAllowedTitle: '権限がありません',
    notAllowedText: (role) =>
      `この画面を使うには、このショップの「${role}」以上の権限が必要です。オーナーにご相談ください。`,
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
    notAllowedTitle: 'Not allowed',
    notAllowedText: (role) => `This screen needs the role “${role}” or more at this shop. Ask an owner of the shop.`,
    roles: { owner: 'Owner', staff: 'Staff', viewer: 'Viewer' },
    modes: { test: 'Test', live: 'Live' },
    languages,
  },
}
