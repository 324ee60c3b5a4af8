/** Merchant API: every call by its name, in the order of the reference. */
import type { TSchema } from 'typebox'
import type { MerchantCallName } from '../access.ts'
import type { MerchantCall } from '../calls.ts'
import { readAttention } from './attention.ts'
import { exportCheckouts, listCheckouts } from './checkout-lists.ts'
import { createCheckout, readMerchantCheckout, cancelMerchantCheckout, sendReceipt, drawQrCode } from './checkouts.ts'
import { listEvents, redeliverEvent } from './events.ts'
import { readFigures, exportFigures } from './figures.ts'
import { readMe } from './me.ts'
import { replacePicture, removePicture } from './pictures.ts'
import { listReconciliations, readReconciliation } from './reconciliations.ts'
import { refundCheckout, listCheckoutRefunds, readRefund, listRefunds } from './refunds.ts'
import {
  createReusableLink,
  readReusableLink,
  listReusableLinks,
  changeReusableLink,
  drawLinkQrCode,
} from './reusable-links.ts'
import { readSummary, exportMovements } from './reports.ts'
import { readSettings, changeSettings } from './settings.ts'
import { readTimeline } from './timeline.ts'
import {
  createWebhook,
  listWebhooks,
  readWebhook,
  changeWebhook,
  removeWebhook,
  pingWebhook,
  rollWebhook,
  replayWebhook,
  listDeliveries,
} from './webhooks.ts'

export type AnyMerchantCall = MerchantCall<TSchema, TSchema, TSchema>

export const MERCHANT_API: Readonly<Record<MerchantCallName, AnyMerchantCall>> = {
  createCheckout,
  readMerchantCheckout,
  listCheckouts,
  readTimeline,
  cancelMerchantCheckout,
  sendReceipt,
  drawQrCode,
  createReusableLink,
  readReusableLink,
  listReusableLinks,
  changeReusableLink,
  drawLinkQrCode,
  refundCheckout,
  listCheckoutRefunds,
  readRefund,
  listRefunds,
  readSummary,
  exportMovements,
  readFigures,
  exportFigures,
  exportCheckouts,
  listReconciliations,
  readReconciliation,
  readAttention,
  readMe,
  readSettings,
  changeSettings,
  replacePicture,
  removePicture,
  createWebhook,
  listWebhooks,
  readWebhook,
  changeWebhook,
  removeWebhook,
  pingWebhook,
  rollWebhook,
  replayWebhook,
  listDeliveries,
  listEvents,
  redeliverEvent,
}
