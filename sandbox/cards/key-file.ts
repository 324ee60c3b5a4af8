/** Key file: a random key beside a database, so that a hash of a card number cannot be searched back from the database alone. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

const KEY_BYTES = 32

export const readOrCreateKey = (file: string): Buffer => {
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
