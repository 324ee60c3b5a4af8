/** EMV message inside a form field (CReq, CRes, 3DS method data): base64url JSON, sent unpadded, read padded as well. */
import { parseJsonObject, type JsonObject } from '../http/json.ts'

export const decodeMessage = (text: string): JsonObject | undefined =>
  /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? parseJsonObject(Buffer.from(text, 'base64url').toString('utf8')) : undefined

export const encodeMessage = (message: JsonObject): string => Buffer.from(JSON.stringify(message)).toString('base64url')

/** EMV's limit for threeDSSessionData, which is sent with a CReq and comes back with its CRes. */
export const SESSION_DATA_MAX_LENGTH = 1024
