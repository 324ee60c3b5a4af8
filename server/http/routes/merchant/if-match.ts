/** If-Match: the header by which a change names the state that its caller has read, and the ETag that names it. */
import { createHash } from 'node:crypto'
import { refuse, refuseField, type Refusal } from '#contract/errors.ts'

/** A strong ETag of any value: its JSON decides, so it must be written in one order of fields. */
export const etagOf = (value: object): string =>
  `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`

/** RFC 9110, section 8.8.3: one tag, weak or strong. */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** More than anybody has read; the header costs the same whatever it holds. */
const TAGS_MAX = 20

/** Whether an ETag is among those that a caller names. */
export type IfMatch = (etag: string) => boolean

/**
 * Strong comparison, RFC 9110, section 13.1.1: a weak tag matches nothing. Our tags hold no comma, so a list may be split at
 * every comma: a foreign tag that has one is refused as malformed.
 */
export const readIfMatch = (header: string | undefined): IfMatch | Refusal => {
  if (header === undefined) return refuse('if_match_required')
  if (header.trim() === '*') return () => true
  const tags = header.split(',', TAGS_MAX).map((tag) => tag.trim())
  if (!tags.every((tag) => TAG.test(tag)))
    return refuseField('If-Match', 'must be the ETag of the settings in its double quotes, or *.')
  return (etag) => tags.includes(etag)
}
