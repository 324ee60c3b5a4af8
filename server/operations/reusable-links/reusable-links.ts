/** Reusable links: creates, reads and changes them for their merchant. */
import { domainToUnicode } from 'node:url'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { ChangeReusableLinkBody, CreateReusableLinkBody } from '#contract/merchant/reusable-links.ts'
import { changedLink, newReusableLink, type ReusableLink } from '#payment/reusable-link.ts'
import type { Dependencies } from '../../dependencies.ts'
import { idempotencyKeyWrite, type IdempotentRequest } from '../../store/checkout/idempotency-keys.ts'
import {
  changeReusableLink as storeChange,
  findReusableLink,
  lockReusableLink,
  newReusableLinkWrite,
} from '../../store/checkout/reusable-links.ts'
import type { KeyScope } from '../../store/merchant/keys.ts'
import type { Seller } from '../create-checkout.ts'
import { createOnce } from '../idempotent-creation.ts'

const createLink = async (
  { clock, random, database }: Dependencies,
  seller: Seller,
  body: CreateReusableLinkBody,
  request?: IdempotentRequest,
): Promise<ReusableLink | Refusal> => {
  const now = clock.now()
  const link = newReusableLink(body, { ...seller, id: random.id(), now, unicodeHost: domainToUnicode })
  if (isRefusal(link)) return link
  const key = request === undefined ? [] : idempotencyKeyWrite(seller, request, link.id, now)
  await database.writeAll([...newReusableLinkWrite(link), ...key])
  return link
}

export interface CreatedLink {
  readonly link: ReusableLink
  readonly isReplay: boolean
}

/** Creates a link of this merchant, once for each key, or refuses and names the field that is wrong. */
export const createReusableLink = async (
  deps: Dependencies,
  seller: Seller,
  body: CreateReusableLinkBody,
  request?: IdempotentRequest,
): Promise<CreatedLink | Refusal> => {
  const { merchantId } = seller
  const once = await createOnce(deps, seller, request, {
    create: () => createLink(deps, seller, body, request),
    find: (linkId) => findReusableLink(deps.database, { merchantId, linkId }),
  })
  if (isRefusal(once)) return once
  return 'created' in once ? { link: once.created, isReplay: false } : { link: once.found, isReplay: true }
}

/** A link of this merchant and mode. */
export const readReusableLink = async (
  { database }: Dependencies,
  { merchantId, mode }: KeyScope,
  linkId: string,
): Promise<ReusableLink | Refusal> => {
  const link = await findReusableLink(database, { merchantId, linkId })
  return link?.mode === mode ? link : refuse('link_not_found')
}

export const changeReusableLink = (
  { database, clock }: Dependencies,
  { merchantId, mode }: KeyScope,
  linkId: string,
  body: ChangeReusableLinkBody,
) =>
  database.transact(async (sql): Promise<ReusableLink | Refusal> => {
    const link = await lockReusableLink(sql, { merchantId, linkId })
    if (link?.mode !== mode) return refuse('link_not_found')
    const changed = changedLink(link, body, clock.now())
    if (!isRefusal(changed)) await storeChange(sql, changed)
    return changed
  })
