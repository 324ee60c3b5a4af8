/**
 * Card fingerprint: tells two cards apart without their numbers. Keyed, because a bare hash of a card number can be
 * searched back.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { CardDetails } from './requests.ts'

const KEY_BYTES = 32

type CardFingerprint = (card: CardDetails) => string

export const openCardFingerprint = (dataFolder: string): CardFingerprint => {
  const key = readOrCreateKey(join(dataFolder, 'fingerprint.key'))
  return ({ number, expiryMonth, expiryYear }) =>
    createHmac('sha256', key).update(`${number}/${expiryYear}/${expiryMonth}`).digest('base64url')
}

const readOrCreateKey = (file: string): Buffer => {
  if (!existsSync(file)) writeKey(file)
  const key = readFileSync(file)
  if (key.length !== KEY_BYTES)
    throw new Error(`${file} is not a key of ${KEY_BYTES} bytes; remove the folder it is in`)
  return key
}

// Written to a temporary file and renamed: a kill between creating and filling the file would leave an empty key behind.
const writeKey = (file: string): void => {
  const temporaryFile = `${file}.${process.pid}`
  const descriptor = openSync(temporaryFile, 'w', 0o600)
  writeSync(descriptor, randomBytes(KEY_BYTES))
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(temporaryFile, file)
}
