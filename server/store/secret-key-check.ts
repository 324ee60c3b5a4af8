/** Secret key check: the database remembers a digest of the key that it is used with. */
import { createHmac } from 'node:crypto'
import { text, type Database } from './database.ts'

const digestOf = (secretKey: string): string =>
  createHmac('sha256', secretKey).update('kaikei secret key check').digest('hex')

/** True for the first key that a database meets, and for the same one ever after. */
export const isSecretKeyOf = (database: Database, secretKey: string): Promise<boolean> =>
  database.transact(async (sql) => {
    const digest = digestOf(secretKey)
    const [known] = await sql.rows('SELECT digest FROM secret_key_check')
    if (known !== undefined) return text(known, 'digest') === digest
    await sql.rows('INSERT INTO secret_key_check (digest) VALUES ($1)', digest)
    return true
  })
