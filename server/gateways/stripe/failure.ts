/** Stripe, failure: the error in an answer that is not 200. */
import { Check } from 'typebox/value'
import type { AcquirerReply } from '../acquirer-http.ts'
import { Failure } from './wire.ts'

export const failureOf = ({ body }: Pick<AcquirerReply, 'body'>) => (Check(Failure, body) ? body.error : undefined)
