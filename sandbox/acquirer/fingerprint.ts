import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const keyBytes = 32

type Fingerprint = (card: { number: string; expiryMonth: number; expiryYear: number }) => string

/** Tells two cards apart without their numbers: a bare hash of a card number can be searched back, so it is keyed. */
export const openFingerprint = (dataFolder: string): Fingerprint => {
  const key = openKey(join(dataFolder, 'fingerprint.key'))
  return ({ number, expiryMonth, expiryYear }) =>
    createHmac('sha256', key).update(`${number}/${expiryYear}/${expiryMonth}`).digest('base64url')
}

const openKey = (file: string): Buffer => {
  if (!existsSync(file)) writeKey(file)
  const key = readFileSync(file)
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${keyBytes} bytes; remove the folder it is in`)
  return key
}

// Written aside and renamed: a kill between creating and filling the file would leave an empty key behind.
const writeKey = (file: string): void => {
  const aside = `${file}.${process.pid}`
  const descriptor = openSync(aside, 'w', 0o600)
  writeSync(descriptor, randomBytes(keyBytes))
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(aside, file)
}
