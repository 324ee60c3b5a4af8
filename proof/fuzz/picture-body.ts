/** Picture under fuzz: one that can be written as a text. Its name is the hash of its content, whoever has uploaded it. */
import { createHash } from 'node:crypto'
import { PICTURE_IN_ASCII } from '../../server/pictures/testing/fixtures.ts'

export const PICTURE = PICTURE_IN_ASCII.toString('latin1')
export const UPLOADED_PICTURE = `/pictures/${createHash('sha256').update(PICTURE_IN_ASCII).digest('hex')}.webp`
