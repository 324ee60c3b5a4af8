/** Lists of the merchant API: the query and the answer of one page. */
import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import { TEXT_RULES } from '../text-rules.ts'

const closed = { additionalProperties: false }

export const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

export const paging = {
  limit: Type.Optional(
    Type.String({
      pattern: TEXT_RULES.limit.pattern,
      description: `How many at most: 1 to ${LIMIT_MAX}, default ${LIMIT_DEFAULT}.`,
    }),
  ),
  after: Type.Optional(Type.String({ maxLength: 300, description: 'The `after` of the page before.' })),
}

export const Moment = (which: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${which}; a date in Japan such as 2026-11-30, or an instant.` }),
  )

export const PageQuery = Type.Object(paging, closed)
export type PageQuery = Static<typeof PageQuery>

const After = Type.Union([Type.String(), Type.Null()], {
  description:
    'Send it as `after` for the next page; null: that was the last. With rare filters or long texts a page may hold fewer items than `limit`, even none: go on while `after` is there.',
})

const page = <Item extends TSchema>(item: Item) => ({
  items: Type.Array(item, { description: 'The newest first.' }),
  after: After,
})

export const pageOf = <Item extends TSchema>(title: string, item: Item) => Type.Object(page(item), { ...closed, title })

/** A page with fields of its own beside the items. */
export const pageWith = <Item extends TSchema, More extends TProperties>(title: string, item: Item, more: More) =>
  Type.Object({ ...page(item), ...more }, { ...closed, title })
