/** Introduction of the reference page: what holds for every call. */
import { CALL_COSTS } from '#contract/access.ts'
import { sessionErrors } from '#contract/console/calls.ts'
import { LIMIT_DEFAULT } from '#contract/merchant/lists.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { KEY_LIMITS } from '../limits/key-limits.ts'
import { VARIABLES } from './example-texts.ts'
import { blocksHtml, codeHtml, inlineHtml } from './markup.ts'

interface Part {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly code?: readonly [label: string, source: string]
}

const { live } = KEY_LIMITS

const partsOf = (origin: string): readonly Part[] => [
  {
    id: 'base',
    title: 'Base address',
    text: [
      'Send every call to this address, as JSON in UTF-8. A text is whole characters: one that is cut inside of an emoji is refused. Amounts are whole yen. Times are instants in UTC such as `2026-11-23T03:04:05.678Z`; days are days in Japan.',
      `The examples on this page read: ${Object.entries(VARIABLES)
        .map(([name, holds]) => `\`${name}\`, ${holds}`)
        .join('; ')}. They are run as they stand here against this release before it is published.`,
    ].join('\n'),
    code: ['Base address', `export KAIKEI_URL=${origin}${MERCHANT_BASE}\nexport KAIKEI_KEY=sk_test_…`],
  },
  {
    id: 'authentication',
    title: 'Authentication',
    text: [
      'Send your key with every call: `Authorization: Bearer sk_test_…`. The operator of this server makes keys and ends them; no call does. Keep a key on your server, never in a page or an app.',
      'A test key makes checkouts that take the sandbox’s cards and move no money; a checkout of the other mode is not found. A key has one of three accesses:',
      '- `read`: read alone',
      '- `sales`: also create and cancel checkouts',
      '- `full`: also refunds and the settings of the shop',
    ].join('\n'),
  },
  {
    id: 'console',
    title: 'The console',
    text: `The console makes these calls too, at its own host: with the session of a person in place of a key, and the headers \`Merchant\` and \`Mode\`. There a call may also answer ${sessionErrors(
      { access: 'full', method: 'POST' },
    )
      .map((code) => `\`${code}\``)
      .join(', ')}. With a key you get none of these but \`invalid_field\`.`,
  },
  {
    id: 'idempotency',
    title: 'Sending again',
    text: [
      'When no answer comes, send the same again. Reading, cancelling and uploading may be repeated as they are. A change of the settings that is sent again with the same `ETag` is 412 `settings_changed` where the first one has arrived: read them.',
      'A creation is repeated safely with an `Idempotency-Key` of your own, 1 to 255 characters, such as the number of the order: within 24 hours the same key with the same body opens one checkout, answered as it stands now with `Idempotent-Replayed: true`. Another body under the same key is 422 `idempotency_key_reused`. A refused body uses up nothing.',
      'A refund is repeated safely by its `refundId`: the same id gives back once.',
    ].join('\n'),
  },
  {
    id: 'paging',
    title: 'Lists',
    text: [
      `A list answers \`items\`, the newest first, and \`after\`. \`limit\` is 1 to 100, ${LIMIT_DEFAULT} where you do not say. Send \`after\` as it came for the next page; null says that this was the last.`,
      'Filters stay the same from page to page. With rare filters a page may hold fewer items than `limit`, even none: go on while `after` is there.',
    ].join('\n'),
  },
  {
    id: 'limits',
    title: 'Rate limits',
    text: [
      `A key has a budget of ${live.calls.burst}, which fills up again by ${live.calls.perSecond} a second. A call takes ${CALL_COSTS.merchantCalls} of it; a list, a timeline or a change of the settings ${CALL_COSTS.costlyCalls}; an upload ${CALL_COSTS.uploads}; the summary or an export ${CALL_COSTS.reports}. Refunds are ${live.refunds.perSecond} a second. A test key has the same limits. Beyond them a call is 429 \`too_many_requests\`, does nothing, and \`Retry-After\` says after how many seconds to send it again.`,
      'A merchant has a few calls under way at the same time; more wait for them. On a busy server a call may be 503 `unavailable`: it did nothing, and `Retry-After` says when to send it again.',
    ].join('\n'),
  },
  {
    id: 'error-answers',
    title: 'Error answers',
    text: [
      'An error has a status of 4xx or 5xx and one shape. Decide by `code`; `message` is for you and may change; `params` holds facts such as the name of the wrong field. What was sent is never repeated in it.',
      'Every answer, good or bad, has a `Request-Id`: tell it to the operator when you ask about a call.',
    ].join('\n'),
    code: [
      'An error answer',
      JSON.stringify(
        {
          type: 'invalid_request',
          code: 'invalid_field',
          message: 'amount must be >= 1.',
          params: { field: 'amount' },
        },
        null,
        2,
      ),
    ],
  },
  {
    id: 'versions',
    title: 'Versions',
    text: `This is version 1, and its changes are additive only: new calls, new optional fields, new values where a list of values may grow, new error codes. Ignore what you do not know. The same description for programs is \`${MERCHANT_BASE}/openapi.json\` (OpenAPI 3.1).`,
  },
]

export const introductionLinks = (origin: string): readonly (readonly [id: string, title: string])[] =>
  partsOf(origin).map(({ id, title }) => [id, title] as const)

export const introductionHtml = (origin: string): string =>
  partsOf(origin)
    .map(
      ({ id, title, text, code }) => `<section id="${id}" class="part" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a href="#${id}">${inlineHtml(title)}</a></h2>
<div class="columns">
<div>
${blocksHtml(text)}
</div>
<div class="code">
${code === undefined ? '' : codeHtml(...code)}
</div>
</div>
</section>`,
    )
    .join('\n')
