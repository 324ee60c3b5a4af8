/** Share addresses: a mail and a message of LINE with a link in it, for the person's own apps to send. */

export interface SharedLink {
  readonly url: string
  /** What is paid for; null: the shop's name stands for it. */
  readonly subject: string | null
  readonly shop: string
  /** As people read it; null: the shopper enters it. */
  readonly amount: string | null
}

/** The link stands by itself on the last line: apps make it one that can be pressed. */
const textOf = ({ url, subject, shop, amount }: SharedLink): string =>
  [shop, [subject, amount].filter((part) => part !== null).join(' '), url].filter((line) => line !== '').join('\n')

/** No recipient: the person chooses one. */
export const mailAddress = (link: SharedLink): string =>
  `mailto:?subject=${encodeURIComponent(link.subject ?? link.shop)}&body=${encodeURIComponent(textOf(link).replaceAll('\n', '\r\n'))}`

/** LINE, "Using LINE URL scheme": opens the app, or its page, with a message to send. */
export const lineAddress = (link: SharedLink): string =>
  `https://line.me/R/share?text=${encodeURIComponent(textOf(link))}`

/** For the browser's own sheet of apps. */
export const sheetContents = ({ url, ...link }: SharedLink): ShareData => ({
  title: link.subject ?? link.shop,
  text: textOf({ url: '', ...link }),
  url,
})
