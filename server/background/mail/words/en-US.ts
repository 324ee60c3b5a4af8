import { receiptWords } from '#contract/receipt-words/en-US.ts'

/** Words of a mail. The shape of every language: the others must match it or they do not compile. */
export const words = {
  ...receiptWords,
  receiptSubject: (shop: string) => `Receipt from ${shop}`,
  refundSubject: (shop: string) => `Refund from ${shop}`,
  nothingChargedSubject: (shop: string) => `Nothing was charged: your payment to ${shop}`,
  /** In front of a subject, and at the head of the mail. */
  reissued: 'Reissued',
  asReissued: (text: string) => `[Reissued] ${text}`,
  asTest: (text: string) => `[Test] ${text}`,
  asSample: (text: string) => `Sample: ${text}`,
  test: 'This is a test. No money has moved.',
  refundedWhole: 'Your payment has been refunded.',
  refundedPart: 'Part of your payment has been refunded.',
  refundedWhen: 'When it appears on your card statement depends on your card issuer.',
  nothingChargedTitle: 'Nothing was charged',
  nothingCharged:
    'The payment below did not go through, and your card has not been charged. If you still want to pay, open the link that the shop gave you once more.',
  refundedAt: 'Refund date and time',
  paidAmount: 'Amount paid',
  receiptPage: 'This receipt on the web',
  contact: 'Contact',
  phone: 'Phone',
  email: 'Email',
  why: (shop: string) =>
    `You receive this email because this address was entered for a card payment to ${shop}. We never ask for card numbers or security codes by email.`,
  returnTitle: 'Qualified return invoice',
  soldOn: 'Date of the sale',
  returnedOn: 'Date of the refund',
}

export type MailWords = typeof words
