import type { Page } from '@playwright/test'
import type { PageLocale } from '#contract/locale.ts'

/** What the merchant wrote itself: it stands on the page in the merchant's language, whatever the shopper's is. */
export const MERCHANT_TEXTS = {
  subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
  longSubject:
    '煎茶「山霧」と玉露「朝露」の詰め合わせ（ギフト包装・熨斗つき・名入れあり）二〇二六年秋の限定品 / Sencha and gyokuro gift box with wrapping and a hand-written card, autumn 2026',
  longShopName: '東京南青山で三代続く日本茶専門店 青山茶舗オンラインストア Aoyama Tea Merchants since 1892',
  remarks: Array.from({ length: 10 }, (_, line) => `${line + 1}. ご注文番号 A-${1024 + line} のお品物です。`).join(
    '\n',
  ),
} as const

/** Addresses that screens are opened at. They are made once: looking at a screen changes nothing. */
export interface Links {
  readonly origin: string
  readonly open: string
  /** A look at a challenge really starts a payment, and a start supersedes another beside it: one link a language. */
  readonly challenged: Readonly<Record<PageLocale, string>>
  readonly remarks: string
  readonly paid: string
  readonly expired: string
}

export interface Screen {
  readonly name: string
  address(links: Links, locale: PageLocale): string
  /** Set up before the page is opened: calls that shall fail. */
  before?(page: Page): Promise<void>
  /** What the shopper does once the page is alive. */
  act?(page: Page): Promise<void>
  /** Stands on the page when the screen is reached. */
  readonly shows: string
}
