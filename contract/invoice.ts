/** Invoice on the wire: amounts by tax rate, and the block of a qualified simplified invoice (適格簡易請求書) on a receipt. */
import { Type, type Static } from 'typebox'
import { TAX_RATES } from './tax-rates.ts'
import { TEXT_RULES } from './text-rules.ts'
import { YEN_MAX } from './yen.ts'

const closed = { additionalProperties: false }

const TaxRate = Type.Enum([...TAX_RATES], { description: 'Consumption tax in percent: 10, 8 (reduced) or 0.' })

/** The total of everything at one rate. Zero is allowed: a till that always sends two rates need not leave one out. */
const TaxAmount = Type.Object(
  {
    rate: TaxRate,
    amount: Type.Integer({ minimum: 0, maximum: YEN_MAX, description: 'Whole yen, tax included.' }),
  },
  { ...closed, title: 'TaxAmount', description: 'The total of everything at one rate.' },
)
export type TaxAmount = Readonly<Static<typeof TaxAmount>>

export const TaxAmounts = Type.Array(TaxAmount, {
  minItems: 1,
  maxItems: TAX_RATES.length,
  description: 'The amount by tax rate, each rate at most once. The amounts include the tax and add up to the amount.',
})

/**
 * T and 13 digits. A company's digits are its corporate number, which has a check digit; a sole proprietor's are not one, and
 * no published rule gives them a check digit. So none is checked: a true number must never be refused.
 */
export const RegistrationNumber = Type.String({ pattern: TEXT_RULES.registrationNumber.pattern })

/** What a sale's invoice and a refund's have in common. */
const invoiceFacts = {
  registrationNumber: Type.String(),
  issuer: Type.String({ description: 'The shop’s name when it was paid.' }),
  content: Type.String({ description: 'What was sold, with ※ where the reduced rate applies.' }),
  totals: Type.Array(
    Type.Object(
      {
        rate: TaxRate,
        amount: Type.Integer({ minimum: 1, maximum: YEN_MAX, description: 'Whole yen, tax included.' }),
        tax: Type.Integer({
          minimum: 0,
          maximum: YEN_MAX,
          description: 'The tax contained in the amount, rounded down once.',
        }),
      },
      closed,
    ),
  ),
  isSample: Type.Boolean({ description: 'A test checkout: no money moved, so it is no invoice.' }),
}

/** What a receipt carries where the shop had a registration number when it was paid, and the checkout has `taxes`. */
export const InvoiceFacts = Type.Object(
  {
    ...invoiceFacts,
    date: Type.String({ description: 'The day of the payment in Japan, such as 2026-11-22.' }),
  },
  closed,
)
export type InvoiceFacts = Static<typeof InvoiceFacts>

/** What the mail about a refund carries where the receipt was an invoice: a qualified return invoice (適格返還請求書). */
export const ReturnInvoiceFacts = Type.Object(
  {
    ...invoiceFacts,
    soldOn: Type.String({ description: 'The day of the payment in Japan.' }),
    returnedOn: Type.String({ description: 'The day of the refund in Japan.' }),
  },
  closed,
)
export type ReturnInvoiceFacts = Static<typeof ReturnInvoiceFacts>
