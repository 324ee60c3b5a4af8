/** Pages of the outbox, joined. What waits is tried meanwhile and moves, so that two pages may have the same item. */
import type { OutboxItemAnswer } from '#contract/console/operator.ts'

/** Of one event there is a delivery for each webhook. */
export const keyOf = ({ id, webhookId = '' }: OutboxItemAnswer): string => `${id} ${webhookId}`

/** Each item once, where it stood first, as it was read last. */
export const joinPages = (pages: readonly { readonly items: readonly OutboxItemAnswer[] }[]): OutboxItemAnswer[] => [
  ...new Map(pages.flatMap(({ items }) => items).map((item) => [keyOf(item), item])).values(),
]
