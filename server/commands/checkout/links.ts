/** Checkout commands about its link: open it in a browser, draw it as a QR code. */
import { readMerchantCheckout, drawQrCode } from '#contract/merchant/checkouts.ts'
import type { Environment } from '../../config/readers.ts'
import { isProblem, type Command, type CommandProblem, type Given } from '../command.ts'
import { writeOut } from '../out-file.ts'
import { openSystemBrowser, type BrowserOpening, type OpenBrowser } from './browser.ts'
import { answerOf } from './checkouts.ts'
import { readCheckoutId } from './option-values.ts'
import { qrLines } from './terminal-qr.ts'

interface CheckoutLink {
  readonly checkoutId: string
  readonly url: string
}

const linkOf = async (given: Given, env: Environment): Promise<CheckoutLink | CommandProblem> => {
  const path = readCheckoutId(given.text('checkout'))
  if (isProblem(path)) return path
  const read = await answerOf(env, readMerchantCheckout, { path })
  if (isProblem(read)) return read
  const { url } = read.answer
  // What is handed to a program as an argument must be an address and no option of it.
  return /^https?:\/\//.test(url) && URL.canParse(url)
    ? { ...path, url }
    : { problem: 'The server has answered a link that is no web address: check KAIKEI_URL.' }
}

const NOT_OPENED: Readonly<Record<Exclude<BrowserOpening, 'opened'>, string>> = {
  'no display': 'There is no display here: open the link where there is a browser.',
  'no browser': 'No browser could be started here: open the link where there is one.',
}

export const createCheckoutOpen = (openBrowser: OpenBrowser): Command => ({
  summary: 'prints the link of a checkout, and opens it in the browser where there is one',
  places: ['checkout'],
  options: {},
  example: 'checkout open lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
  run: async (given, env) => {
    const link = await linkOf(given, env)
    if (isProblem(link)) return link
    const opening = await openBrowser(link.url, env)
    const { url } = link
    const isOpened = opening === 'opened'
    return { value: { url, isOpened }, lines: [url, ...(isOpened ? [] : [NOT_OPENED[opening]])] }
  },
})

export const checkoutOpen = createCheckoutOpen(openSystemBrowser)

export const checkoutQr: Command = {
  summary: 'draws the link of a checkout as a QR code',
  places: ['checkout'],
  options: { out: { value: '<file.svg>', help: 'writes an SVG picture there instead of drawing in the terminal' } },
  example: 'checkout qr lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb --out order-42.svg',
  run: async (given, env) => {
    const link = await linkOf(given, env)
    if (isProblem(link)) return link
    const { url, checkoutId } = link
    const out = given.textOrNull('out')
    if (out === null) return { value: { url }, lines: [...qrLines(url), url] }
    const drawn = await answerOf(env, drawQrCode, { path: { checkoutId } })
    if (isProblem(drawn)) return drawn
    const written = await writeOut(env, out, drawn.answer)
    if (isProblem(written)) return written
    return { value: { url, ...written }, lines: [`${written.file} leads to ${url}`] }
  },
}
