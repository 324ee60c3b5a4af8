/** Stripe, lists: what its lists of charges, refunds and disputes have in common. */
import { Check } from 'typebox/value'
import type { Period, Unknown } from '#payment/ports.ts'
import { isId } from '../../ids.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { undecided, unknown } from '../unknown-outcome.ts'
import type { FormFields } from './form.ts'
import { NamesOrder, OrderMetadata, Page } from './wire.ts'

export const UNREADABLE_LIST = unknown('a list that cannot be read')

/** Stripe counts whole seconds: rounded up at both ends, periods that adjoin have no line in common and leave none out. */
const seconds = (instant: number): number => Math.ceil(instant / 1000)

export const listFields = ({ from, to }: Period, startingAfter: string | null, limit: number): FormFields => ({
  created: { gte: seconds(from), lt: seconds(to) },
  limit,
  ...(startingAfter === null ? {} : { starting_after: startingAfter }),
})

interface ListPage {
  readonly outcome: 'page'
  readonly items: readonly unknown[]
  /** The item that the next page begins after; null: this was the last. */
  readonly after: string | null
}

export const readListPage = (startingAfter: string | null, reply: AcquirerReply): ListPage | Unknown => {
  const { status, body } = reply
  if (status !== 200) return undecided(reply)
  if (!Check(Page, body)) return UNREADABLE_LIST
  const last = body.data.at(-1)?.id ?? null
  // A list that leads back to where it was would be read for ever.
  if (body.has_more && (last === null || last === startingAfter)) return unknown('a list that does not go on')
  return { outcome: 'page', items: body.data, after: body.has_more ? last : null }
}

/** Undefined: no payment of ours. A shop may sell elsewhere with the same account. */
export const orderCodeOf = (named: unknown): string | undefined => {
  if (!Check(NamesOrder, named)) return undefined
  const { transfer_group: group, metadata } = named
  const codes = [group, Check(OrderMetadata, metadata) ? metadata.order : undefined]
  return codes.find((code): code is string => typeof code === 'string' && isId(code))
}
