/** Errors of the 3-D Secure server, in the words of EMV 3-D Secure. */
import { json, type Reply } from '../http/router.ts'

/** Errors of EMV 3-D Secure (codes below 1000) and of the 3-D Secure server itself: code and description. */
const ERRORS = {
  missing: ['201', 'A message element required by the protocol is missing.'],
  format: ['203', 'A data element is not in the required format or the value is invalid.'],
  transactionData: ['305', 'The transaction data is not valid.'],
  transient: ['403', 'The system failed and may work again shortly.'],
  notParticipating: ['1005', 'The card number does not take part in 3-D Secure.'],
  unknownTransaction: ['1013', 'The 3-D Secure server transaction ID is not known.'],
  unknownRequestorTransaction: ['1014', 'The requestor transaction ID is not the one of this transaction.'],
} as const

/** Protocol error: names a field and never quotes it, for it may be a card number in the wrong place. */
export interface ProtocolError {
  readonly kind: 'error'
  readonly code: string
  readonly description: string
  readonly field: string
  readonly rule: string
}

export const protocolError = (error: keyof typeof ERRORS, field: string, rule: string): ProtocolError => {
  const [code, description] = ERRORS[error]
  return { kind: 'error', code, description, field, rule }
}

const FAILURE_STATUSES = { unavailable: 503, failed: 500 } as const

/** EMV's error message, as the 3-D Secure server (component S) sends it. */
const errorBody = ({ code, description, field, rule }: ProtocolError, serverTransId: string) => ({
  errorCode: code,
  errorComponent: 'S',
  errorDescription: description,
  errorDetail: `${field} ${rule}`,
  errorMessageType: 'AReq',
  messageType: 'Erro',
  messageVersion: '2.2.0',
  ...(serverTransId === '' ? {} : { threeDSServerTransID: serverTransId }),
})

export const errorReply = (error: ProtocolError, serverTransId = ''): Reply =>
  json(400, errorBody(error, serverTransId))

const INJECTED_FAULT = protocolError('transient', 'the sandbox', 'was asked to stumble here')

/** Injected fault: the server fails although the request was right. */
export const failureReply = (failure: keyof typeof FAILURE_STATUSES, serverTransId = ''): Reply =>
  json(FAILURE_STATUSES[failure], errorBody(INJECTED_FAULT, serverTransId))
