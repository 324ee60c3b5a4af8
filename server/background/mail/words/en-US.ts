/** Words of mails in English, which the other languages translate. */
import { receiptWords } from '#contract/receipt-words/en-US.ts'

/** Words of a mail. The shape of every language: the others must match it or they do not compile. */
export const words = {
  ...receiptWords,
  receiptSubject: (shop: string, amount: string) => `Receipt from ${shop}: ${amount}`,
  refundSubject: (shop: string, amount: string) => `Refund from ${shop}: ${amount}`,
  nothingChargedSubject: (shop: string, amount: string) => `Nothing was charged: your payment of ${amount} to ${shop}`,
  /** In front of a subject, and at the head of the mail. */
  reissued: 'Reissued',
  asReissued: (text: string) => `[Reissued] ${text}`,
  asTest: (text: string) => `[Test] ${text}`,
  asSample: (text: string) => `Sample: ${text}`,
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
  /** To a shop, about its payments: the beginning of a subject, and what the mail says. */
  paidNews: (amount: string) => `Paid: ${amount}`,
  paidNewsTitle: 'You have received a payment',
  refundedNews: (amount: string) => `Refunded: ${amount}`,
  refundedNewsTitle: 'A payment has been refunded',
  refundedSoFar: 'Refunded so far',
  refundRefusedNews: (amount: string) => `Refund refused: ${amount}`,
  refundRefusedTitle: 'A refund was refused',
  refundRefused:
    'The card company did not accept the refund below. Nothing was given back to the customer. Please look into it.',
  refundId: 'Refund ID',
  /** A dispute by its status. It is answered at the acquirer. */
  disputeInquiryNews: (amount: string) => `Question about a payment: ${amount}`,
  disputeInquiryTitle: 'The card company asks about a payment',
  disputeInquiry:
    'The cardholder’s card company asks about the payment below. No money has been taken from you. Please answer at your acquirer in time; it cannot be answered here. Without an answer it may become a chargeback.',
  disputeNews: (amount: string) => `Payment disputed: ${amount}`,
  disputeTitle: 'A payment is disputed (chargeback)',
  dispute:
    'The cardholder disputes the payment below. Please answer at your acquirer in time; it cannot be answered here. Without an answer the money usually goes back to the cardholder.',
  disputeWonNews: (amount: string) => `Dispute won: ${amount}`,
  disputeWonTitle: 'A dispute was decided in your favor',
  disputeWon:
    'The dispute about the payment below was decided in your favor. Money that was taken from you for it is given back by your acquirer.',
  disputeLostNews: (amount: string) => `Dispute lost: ${amount}`,
  disputeLostTitle: 'A dispute was lost',
  disputeLost:
    'The dispute about the payment below was lost. The money stays with the cardholder. For details, or for a further step, please turn to your acquirer.',
  disputeAmount: 'Disputed amount',
  disputeWithdrawn: 'Taken by the acquirer',
  disputeReason: 'Reason code',
  disputeRespondBy: 'Answer by',
  disputeId: 'Dispute ID',
  inDoubtNews: (amount: string) => `Payment not confirmed: ${amount}`,
  inDoubtTitle: 'A payment is not confirmed yet',
  inDoubt:
    'For at least ten minutes, the card company has not told us whether the payment below went through. We keep asking. Until it is known, please do not ship, and do not ask the customer to pay again.',
  inDoubtSince: 'Not confirmed since',
  cardTestingNews: 'Possible card testing',
  cardTestingTitle: 'Stolen cards may be tried out at your shop',
  cardTesting:
    'Many cards were refused one after another. Until the time below, every cardholder has to pass an identity check. Please look at recent orders before you ship.',
  challengeUntil: 'Identity check until',
  sumOfPaid: (count: string, total: string) => `More payments: ${count} (${total})`,
  sumOfRefunded: (count: string, total: string) => `More refunds: ${count} (${total})`,
  sumOfAttention: (count: string) => `More alerts: ${count}`,
  sumMessage: 'There were too many for one email each, so the rest of this hour is summed up here.',
  sumCount: 'Number',
  sumTotal: 'Total',
  sumFrom: 'From',
  sumTo: 'To',
  reference: 'Reference',
  checkoutId: 'Checkout ID',
  lastOfHour: 'If more of these follow, we will sum them up in one email per hour.',
  whyNotified: (shop: string) =>
    `You receive this email because the settings of ${shop} name this address for notifications. They can be changed there (notifications).`,
}

export type MailWords = typeof words
