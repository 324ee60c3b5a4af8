/** Mail pictures: every kind of mail in every language, as it arrived in the sandbox's mailbox, at the widths of a phone and a desk. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { SAMPLE_NOW, sampleMails } from '../harness/sample-mails.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { MERCHANT_SETTINGS } from '../harness/test-merchants.ts'
import { createMailer } from '../../server/background/mail/mailer.ts'
import { letterOf } from '../../server/background/mail/send-mail.ts'
import { launchChromium } from '../../tools/browser/browser.ts'
import { onParentExit } from '../../tools/exit-with-parent.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'

const FOLDER = join(ROOT, 'screens', 'mails')
const WIDTHS = [390, 800]
const PUBLIC_BASE = new URL('https://pay.example.com')
const SHOP = {
  label: 'tea',
  settings: {
    ...MERCHANT_SETTINGS,
    receipt: {
      ...MERCHANT_SETTINGS.receipt,
      shopName: '青山茶舗 Aoyama Tea',
      shopAddress: '東京都港区南青山1-2-3 青山ビル4階',
    },
  },
}

const mailerOf = ({ mailboxPort }: SandboxProcess) =>
  createMailer({
    host: '127.0.0.1',
    port: mailboxPort,
    tls: 'none',
    login: null,
    from: 'receipts@pay.example.com',
    dkim: null,
    isSandbox: true,
  })

/** Sends each mail over SMTP, and answers under which names they are in the mailbox: the first has the number 1. */
const sendAll = async (sandbox: SandboxProcess): Promise<string[]> => {
  const mailer = mailerOf(sandbox)
  const names: string[] = []
  for (const locale of PAGE_LOCALES)
    for (const [name, mail] of sampleMails(locale)) {
      const { outcome, answer } = await mailer.send(
        letterOf(mail, { shop: SHOP, publicBase: PUBLIC_BASE, sentAt: SAMPLE_NOW, token: 'a'.repeat(32) }),
      )
      if (outcome !== 'sent') throw new Error(`${name} in ${locale} was not taken: ${answer}`)
      names.push(`${name}-${locale}`)
    }
  return names
}

const takePictures = async (
  browser: Browser,
  { origin }: SandboxProcess,
  names: readonly string[],
): Promise<number> => {
  const page = await browser.newPage()
  const pages = [
    ...names.map((name, at) => ({ name, path: `/mailbox/${at + 1}/html` })),
    { name: 'mailbox', path: '/mailbox' },
    { name: 'mailbox-one-mail', path: '/mailbox/1' },
  ]
  for (const { name, path } of pages)
    for (const width of WIDTHS) {
      // As high as a mail in its frame: what is outside the window is not drawn.
      await page.setViewportSize({ width, height: path.endsWith('/html') ? 400 : 1600 })
      await page.goto(origin + path)
      await page.screenshot({ path: join(FOLDER, `${name}-${width}.png`), fullPage: true })
    }
  return pages.length * WIDTHS.length
}

export const takeMailPictures = async (): Promise<number> => {
  onParentExit(() => process.exit(1))
  const started = performance.now()
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const sandbox = await startSandbox()
  const browser = await launchChromium()
  try {
    const names = await sendAll(sandbox)
    const pictures = await takePictures(browser, sandbox, names)
    const images = names.flatMap((name) => WIDTHS.map((width) => `<img src="${name}-${width}.png" alt="${name}">`))
    writeFileSync(
      join(FOLDER, 'index.html'),
      `<!doctype html><meta charset="utf-8"><title>Mails</title>${images.join('\n')}\n`,
    )
    printProgress(`${pictures} pictures of mails in ${secondsSince(started)}`)
    process.stdout.write(`contact sheet: ${join(FOLDER, 'index.html')}\n`)
    return 0
  } finally {
    await browser.close()
    await sandbox.stop()
  }
}
