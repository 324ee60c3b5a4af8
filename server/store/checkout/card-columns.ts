/** Card columns: brand and last four digits of a card. A card that a restore has lost is stored as no real card can be. */
import { isCardBrand } from '#contract/brands.ts'
import type { CardFace } from '#payment/card-number.ts'
import { oneOf, text } from '../engine/columns.ts'
import type { Row } from '../engine/database.ts'

/** The columns allow no NULL, and earlier releases wrote the same. No real card ends in `----`; the brand is arbitrary. */
const LOST: CardFace = { brand: 'visa', lastFour: '----' }

export const cardFromRow = (row: Row, prefix = ''): CardFace | null => {
  const card = {
    brand: oneOf(row, `${prefix}card_brand`, isCardBrand),
    lastFour: text(row, `${prefix}card_last_four`),
  }
  return card.lastFour === LOST.lastFour ? null : card
}

export const storedCard = (card: CardFace | null): CardFace => card ?? LOST
