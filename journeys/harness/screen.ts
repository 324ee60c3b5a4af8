/** Screen: what it is opened with and how it is reached. These texts are the merchant's own, in its own language. */
import type { Page } from '@playwright/test'
import type { PageLocale } from '#contract/locale.ts'

export const MERCHANT_TEXTS = {
  subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
  longSubject:
    '煎茶「山霧」と玉露「朝露」の詰め合わせ（ギフト包装・熨斗つき・名入れあり）二〇二六年秋の限定品 / Sencha and gyokuro gift box with wrapping and a hand-written card, autumn 2026',
  longShopName: '東京南青山で三代続く日本茶専門店 青山茶舗オンラインストア Aoyama Tea Merchants since 1892',
  remarks: Array.from({ length: 10 }, (_, line) => `${line + 1}. ご注文番号 A-${1024 + line} のお品物です。`).join(
    '\n',
  ),
} as const

/** The addresses that screens are opened at. They are created once: opening a screen changes nothing. */
export interface ScreenLinks {
  readonly origin: string
  readonly open: string
  /** Opening a challenge really starts a payment, and a start supersedes another beside it: one link for each language. */
  readonly challenged: Readonly<Record<PageLocale, string>>
  readonly remarks: string
  readonly paid: string
  /** Paid, with a receipt that is an invoice. */
  readonly invoiced: string
  readonly expired: string
}

export interface Screen {
  readonly name: string
  address(links: ScreenLinks, locale: PageLocale): string
  /** Before the page is opened: sets up the calls that must fail. */
  prepare?(page: Page): Promise<void>
  /** What the shopper does once the page is hydrated. */
  act?(page: Page): Promise<void>
  /** A page of the service itself: the server draws it in its language, and nothing loads words for it. */
  readonly isWithoutScript?: true
  /** Is on the page when the screen is reached. */
  readonly readySelector: string
}
