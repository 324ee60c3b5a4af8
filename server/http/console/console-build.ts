/** Console build: what a document of the console needs to name of its built files. */
import type { ConsoleLocale } from '#contract/console/locale.ts'

export interface ConsoleBuild {
  readonly entry: string
  /** Scripts that the entry imports, to be fetched beside it. */
  readonly preloads: readonly string[]
  readonly style: string
  /** sha384 of every script by its address. */
  readonly integrity: Readonly<Record<string, string>>
}

/** The words that stand in the document itself, before and without the scripts. */
export const CONSOLE_DOCUMENT_WORDS: Readonly<
  Record<ConsoleLocale, { readonly loading: string; readonly failed: string }>
> = {
  ja: {
    loading: '読み込んでいます',
    failed: 'コンソールを表示できません。新しいブラウザーで JavaScript を有効にして、もう一度読み込んでください。',
  },
  'en-US': {
    loading: 'Loading',
    failed: 'The console cannot be shown. Turn on JavaScript in a recent browser, then load this page again.',
  },
}
