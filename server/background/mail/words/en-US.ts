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
  /** To a shop, about an endpoint of its own. */
  failingSubject: (shop: string) => `Webhooks for ${shop} are failing`,
  disabledSubject: (shop: string) => `Webhooks for ${shop} have been stopped`,
  failingTitle: 'A webhook address is failing',
  failing:
    'Every webhook to the address below has failed for at least a day. We keep trying. After five days of failure, we stop sending to it.',
  disabledTitle: 'A webhook address has been turned off',
  disabled: 'Every webhook to the address below has failed for five days, so we have stopped sending to it.',
  gone: 'The address below answered HTTP 410 (Gone), so we have stopped sending to it.',
  endpointAddress: 'Address',
  failingSince: 'Failing since',
  lastAnswer: 'Last answer',
  endpointId: 'Webhook',
  whatToDo: 'What to do',
  stepLook: 'See what was sent and what was answered',
  stepEnable: 'Once your server works again, turn the webhook on',
  stepReplay: 'Have the missed events sent again',
  nothingLost: 'No event is lost. The ones that did not arrive can be sent again for 30 days.',
  whyShop: (shop: string) => `You receive this email because it is the contact address in the settings of ${shop}.`,
  /** To an address that an API key has named: may mails be sent to it? */
  confirmTitle: 'Confirm your email address',
  confirm: (host: string) =>
    `Your email address was entered at ${host}, for a test payment or as the contact address of a shop. To receive such emails, confirm the address on the page below.`,
  confirmLink: 'Confirmation page (valid for 72 hours)',
  confirmIgnore: 'If you do not know what this is about, please ignore this email. You will not be sent anything else.',
}

export type MailWords = typeof words
