/** Errors of the 3-D Secure server, in the words of EMV 3-D Secure. */
import { json, type Reply } from '../http/router.ts'

/** Error codes of EMV 3-D Secure (below 1000) and of the 3-D Secure server itself. */
export const ERROR_CODES = {
  missing: '201',
  format: '203',
  transactionData: '305',
  transient: '403',
  notParticipating: '1005',
  unknownTransaction: '1013',
  unknownRequestorTransaction: '1014',
} as const

type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES]

/** Protocol error: names a field and never quotes it, for it may be a card number in the wrong place. */
export interface ProtocolError {
  readonly kind: 'error'
  readonly code: ErrorCode
  readonly field: string
  readonly rule: string
}

export const protocolError = (code: ErrorCode, field: string, rule: string): ProtocolError => ({
  kind: 'error',
  code,
  field,
  rule,
})

const descriptions: Record<ErrorCode, string> = {
  '201': 'A message element required by the protocol is missing.',
  '203': 'A data element is not in the required format or the value is invalid.',
  '305': 'The transaction data is not valid.',
  '403': 'The system failed and may work again shortly.',
  '1005': 'The card number does not take part in 3-D Secure.',
  '1013': 'The 3-D Secure server transaction ID is not known.',
  '1014': 'The requestor transaction ID is not the one of this transaction.',
}

const FAILURE_STATUSES = { unavailable: 503, failed: 500 } as const

/** EMV's error message, as the 3-D Secure server (component S) sends it. */
const errorBody = (code: ErrorCode, detail: string, serverTransId: string) => ({
  errorCode: code,
  errorComponent: 'S',
  errorDescription: descriptions[code],
  errorDetail: detail,
  errorMessageType: 'AReq',
  messageType: 'Erro',
  messageVersion: '2.2.0',
  ...(serverTransId === '' ? {} : { threeDSServerTransID: serverTransId }),
})

export const errorReply = ({ code, field, rule }: ProtocolError, serverTransId = ''): Reply =>
  json(400, errorBody(code, `${field} ${rule}`, serverTransId))

/** Injected fault: the server fails although the request was right. */
export const failureReply = (failure: keyof typeof FAILURE_STATUSES, serverTransId = ''): Reply =>
  json(
    FAILURE_STATUSES[failure],
    errorBody(ERROR_CODES.transient, 'the sandbox was asked to stumble here', serverTransId),
  )
