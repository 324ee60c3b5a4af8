/** List of sandbox cards: drawn from the same table that drives the sandbox, so it cannot differ from what happens. */
import { html, htmlPage, type Html } from '../http/html.ts'
import type { Route } from '../http/router.ts'
import { COMMON_STYLE } from '../http/style.ts'
import { cardGroups, type CardRow } from './card-table.ts'
import { brandNames, brandOf } from './cards.ts'

const CARD_LIST_STYLE = `${COMMON_STYLE}
  body { padding: 24px 16px 48px; }
  header, main { max-width: 960px; margin: 0 auto; }
  header p { color: var(--quiet); max-width: 65ch; text-wrap: pretty; }
  h1 { margin: 0; font-size: 28px; line-height: 1.25; }
  h2 { margin: 32px 0 8px; font-size: 20px; }
  code { font: 600 15px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace; }
  .scroll { overflow-x: auto; background: linear-gradient(var(--bank) 4px, #fff 4px); padding-top: 4px; border: 1px solid var(--hairline); border-top: 0; border-radius: 10px; }
  table { width: 100%; min-width: 780px; border-collapse: collapse; font-size: 14px; }
  th, td { padding: 10px 16px; text-align: start; vertical-align: top; overflow-wrap: break-word; }
  tr + tr > *, tbody > tr:first-child > * { border-top: 1px solid var(--hairline); }
  thead th { color: var(--quiet); font-weight: 600; }
  tbody th { white-space: nowrap; font-weight: 600; }
  .number { width: 12rem; }
  .brand { width: 9rem; }
  .ends { width: 14rem; }
  @media print { body { background: #fff; } }
`

const groupDigits = (number: string): string =>
  number.length === 16
    ? number.replaceAll(/(?<=^(?:.{4})+)/g, ' ').trim()
    : `${number.slice(0, 4)} ${number.slice(4, 10)} ${number.slice(10)}`

const cardRow = ({ number, description, outcome }: CardRow): Html =>
  html`<tr>
    <th scope="row"><code>${groupDigits(number)}</code></th>
    <td>${brandNames[brandOf(number)]}</td>
    <td>${description}</td>
    <td>${outcome}</td>
  </tr>`

const cardTable = (title: string, cards: readonly CardRow[], index: number): Html =>
  html`<section>
    <h2 id="group-${index}">${title}</h2>
    <div class="scroll" role="region" aria-labelledby="group-${index}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">Card number</th>
            <th scope="col" class="brand">Brand</th>
            <th scope="col">What it does</th>
            <th scope="col" class="ends">Where it ends</th>
          </tr>
        </thead>
        <tbody>
          ${cards.map(cardRow)}
        </tbody>
      </table>
    </div>
  </section>`

export const cardListRoute: Route = {
  method: 'GET',
  path: '/',
  handle: () =>
    htmlPage({
      title: 'Sandbox cards',
      style: CARD_LIST_STYLE,
      body: html`<header>
          <h1>Sandbox cards</h1>
          <p>
            No bank issues these numbers. Any expiry date to come and any security code will do. Where a code is asked
            for it is <code>123456</code>. A number that is not listed behaves as the first one. Durations shrink with
            the time scale, but never below a second.
          </p>
        </header>
        <main>${cardGroups.map(({ title, cards }, index) => cardTable(title, cards, index))}</main>`,
      csp: {},
    }),
}
