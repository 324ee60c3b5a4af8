/**
 * Card fingerprint: tells two cards apart without their numbers. Keyed, because a bare hash of a card number can be
 * searched back.
 */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateKey } from '../cards/key-file.ts'
import type { CardDetails } from './requests.ts'

type CardFingerprint = (card: CardDetails) => string

export const openCardFingerprint = (dataFolder: string): CardFingerprint => {
  const key = readOrCreateKey(join(dataFolder, 'fingerprint.key'))
  return ({ number, expiryMonth, expiryYear }) =>
    createHmac('sha256', key).update(`${number}/${expiryYear}/${expiryMonth}`).digest('base64url')
}
