/** Words of a receipt that the page and the mail share: a shopper who reads both meets one name for one thing. */
export const receiptWords = {
  paidTitle: 'Payment complete',
  paidMessage: 'Thank you. Your payment has been received.',
  refundedTitle: 'Refund complete',
  test: 'This is a test. No money has moved.',
  method: 'Payment method',
  transaction: 'Transaction number',
  paidAt: 'Payment date and time',
  subject: 'Subject',
  amount: 'Amount',
  refundAmount: 'Refund amount',
  refundedAt: 'Refund date and time',
}

/** The other languages must match it or they do not compile. */
export type ReceiptWords = Readonly<Record<keyof typeof receiptWords, string>>
