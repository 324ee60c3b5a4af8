/** Mailbox pages: the list of mails, one mail, and all sources for scripts and tests. */
import PostalMime, { type Address, type Email } from 'postal-mime'
import { html, htmlPage, type Html } from '../http/html.ts'
import { json, type Reply, type Route } from '../http/router.ts'
import { COMMON_STYLE } from '../http/style.ts'
import type { Mailbox, ReceivedMail } from './mailbox.ts'
import { SCRIPTED_RECIPIENTS } from './smtp.ts'

const STYLE = `${COMMON_STYLE}
  body { padding: 24px 16px 48px; }
  header, main { max-width: 880px; margin: 0 auto; }
  header p { color: var(--quiet); max-width: 65ch; text-wrap: pretty; }
  h1 { margin: 0; font-size: 28px; line-height: 1.25; }
  h2 { margin: 32px 0 8px; font-size: 20px; }
  a { color: var(--bank); }
  code, pre { font: 400 14px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace; }
  ol { list-style: none; margin: 0; padding: 0; border: 1px solid var(--hairline); border-radius: 10px; background: #fff; }
  li { padding: 12px 16px; }
  li + li { border-top: 1px solid var(--hairline); }
  li a { font-weight: 600; }
  li p, dt { margin: 0; color: var(--quiet); font-size: 14px; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 16px 0; }
  dd { margin: 0; }
  pre { margin: 0; padding: 16px; overflow-x: auto; white-space: pre-wrap; border: 1px solid var(--hairline); border-radius: 10px; background: #fff; }
  iframe { width: 100%; height: 720px; border: 1px solid var(--hairline); border-radius: 10px; background: #fff; }
`

const page = (title: string, body: Html, status = 200): Reply =>
  htmlPage({ status, title, style: STYLE, body, csp: { frameSrc: ["'self'"] } })

const parse = ({ source }: ReceivedMail): Promise<Email> => PostalMime.parse(source)

const timeOf = ({ receivedAt }: ReceivedMail): string =>
  new Date(receivedAt).toISOString().replace('T', ' ').slice(0, 19)

const listed = async (mail: ReceivedMail): Promise<Html> => {
  const { subject } = await parse(mail)
  return html`<li>
    <a href="/mailbox/${mail.number}">${subject ?? '(no subject)'}</a>
    <p>to ${mail.recipients.join(', ')} · ${timeOf(mail)} UTC</p>
  </li>`
}

const listPage = async (mailbox: Mailbox): Promise<Reply> => {
  const mails = mailbox.list()
  const none = html`<p>No mail has come yet. Pay a checkout, and its receipt will be here a second later.</p>`
  return page(
    'Mailbox',
    html`<header>
        <h1>Mailbox</h1>
        <p>
          Every mail that the server sends in the sandbox ends here and goes nowhere else. The newest are kept until the
          sandbox stops.
        </p>
      </header>
      <main>
        ${
          mails.length === 0
            ? none
            : html`<ol>
                ${await Promise.all(mails.map(listed))}
              </ol>`
        }
        <h2>Recipients that decide what happens</h2>
        <dl>
          ${Object.entries(SCRIPTED_RECIPIENTS).map(
            ([name, what]) =>
              html`<dt><code>${name}@example.com</code></dt>
                <dd>${what}</dd>`,
          )}
        </dl>
      </main>`,
  )
}

const mailPage = async (mail: ReceivedMail): Promise<Reply> => {
  const { subject = '(no subject)', text, html: body, from, to, replyTo, date, messageId } = await parse(mail)
  const people = (entries: readonly Address[]): string =>
    entries.map(({ name, address = '' }) => (name === '' ? address : `${name} <${address}>`)).join(', ')
  const facts: [name: string, value: string][] = [
    ['From', people(from === undefined ? [] : [from])],
    ['To', people(to ?? [])],
    ['Reply-To', people(replyTo ?? [])],
    ['Date', date ?? ''],
    ['Message-ID', messageId ?? ''],
    ['Envelope', `${mail.from} → ${mail.recipients.join(', ')}`],
  ]
  return page(
    subject,
    html`<header>
        <p><a href="/mailbox">Mailbox</a></p>
        <h1>${subject}</h1>
        <dl>
          ${facts.map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
      </header>
      <main>
        ${body === undefined ? html`` : html`<iframe sandbox title="The mail as HTML" src="/mailbox/${mail.number}/html"></iframe>`}
        <h2>Text</h2>
        <pre>${text ?? ''}</pre>
        <h2>Source</h2>
        <details>
          <summary>As it was sent</summary>
          <pre>${mail.source.toString('utf8')}</pre>
        </details>
      </main>`,
  )
}

/** Nothing in a mail may run, be fetched, be sent or lead anywhere, not even with our own page as its frame. */
const MAIL_CSP = `sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`

const htmlOf = async (mail: ReceivedMail): Promise<Reply> => ({
  kind: 'html',
  status: 200,
  markup: (await parse(mail)).html ?? '',
  headers: { 'Content-Security-Policy': MAIL_CSP, 'Referrer-Policy': 'no-referrer' },
})

const notFound = (): Reply =>
  page(
    'No such mail',
    html`<main>
      <h1>No such mail</h1>
      <p><a href="/mailbox">Mailbox</a></p>
    </main>`,
    404,
  )

export const mailboxRoutes = (mailbox: Mailbox): Route[] => {
  const withMail =
    (draw: (mail: ReceivedMail) => Promise<Reply>): Route['handle'] =>
    (call) => {
      const mail = mailbox.find(Number(call.param('number')))
      return mail === undefined ? notFound() : draw(mail)
    }
  return [
    { method: 'GET', path: '/mailbox', handle: () => listPage(mailbox) },
    { method: 'GET', path: '/mailbox/:number', handle: withMail(mailPage) },
    { method: 'GET', path: '/mailbox/:number/html', handle: withMail(htmlOf) },
    {
      method: 'GET',
      path: '/mailbox/v1/mails',
      handle: () =>
        json(200, {
          items: mailbox.list().map(({ number, from, recipients, source }) => ({
            number,
            from,
            recipients: [...recipients],
            source: source.toString('utf8'),
          })),
        }),
    },
  ]
}
