/** The person who has signed in: session, name and language, other sessions, passkeys, and the passkey that is asked for again. */
import { Type, type Static } from 'typebox'
import { NoPath } from '../calls.ts'
import { bodilessConsoleCall, consoleCall } from './calls.ts'
import {
  closed,
  Done,
  Instant,
  LocaleField,
  PasskeyName,
  PathText,
  PersonAnswer,
  PersonName,
  RoleField,
} from './fields.ts'
import { CONSOLE_ROUTES } from './paths.ts'
import { CreationOptions, NewCredential, RequestOptions, SignedChallenge } from './webauthn.ts'

const ShopOfPerson = Type.Object(
  {
    label: Type.String({ description: 'What the header Merchant names.' }),
    name: Type.String(),
    role: RoleField,
    isLive: Type.Boolean({ description: 'Whether it can take real money.' }),
    isClosed: Type.Boolean(),
  },
  { ...closed, title: 'ShopOfPerson' },
)

const ConfirmationAnswer = Type.Object(
  {
    state: Type.Enum(['confirmed', 'passkey_needed', 'passkey_too_new']),
    until: Type.Optional({
      ...Instant,
      description:
        'Of `confirmed`: until then no passkey is asked for. Of `passkey_too_new`: from then on it confirms.',
    }),
  },
  closed,
)
export type ConfirmationAnswer = Static<typeof ConfirmationAnswer>

export const SessionAnswer = Type.Object(
  {
    person: PersonAnswer,
    shops: Type.Array(ShopOfPerson),
    passkeys: Type.Integer({ description: 'How many the person has. With none, one is to be enrolled first.' }),
    confirmation: ConfirmationAnswer,
    isRecovery: Type.Boolean({
      description: 'Whether it began by a link although the person has passkeys, and has enrolled none since.',
    }),
    endsAt: { ...Instant, description: 'When it ends however much it is used.' },
  },
  { ...closed, title: 'Session' },
)
export type SessionAnswer = Static<typeof SessionAnswer>

export const readSession = bodilessConsoleCall({
  ...CONSOLE_ROUTES.readSession,
  summary: 'Read who has signed in, and at which shops',
  params: NoPath,
  answer: SessionAnswer,
  errors: [],
})

export const endSession = bodilessConsoleCall({
  ...CONSOLE_ROUTES.endSession,
  summary: 'Sign out',
  params: NoPath,
  answer: Done,
  errors: [],
})

export const changePerson = consoleCall({
  ...CONSOLE_ROUTES.changePerson,
  summary: 'Change one’s name or language',
  params: NoPath,
  body: Type.Object({ name: Type.Optional(PersonName), locale: Type.Optional(LocaleField) }, closed),
  status: 200,
  answer: PersonAnswer,
  errors: [],
})

const ListedSession = Type.Object(
  {
    id: Type.String(),
    browser: Type.String({ description: 'Such as "Chrome, Android".' }),
    createdAt: Instant,
    lastUsedAt: Instant,
    isThis: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  },
  { ...closed, title: 'ListedSession' },
)

export const listSessions = bodilessConsoleCall({
  ...CONSOLE_ROUTES.listSessions,
  summary: 'List one’s sessions, the newest first',
  params: NoPath,
  answer: Type.Object({ items: Type.Array(ListedSession) }, { ...closed, title: 'SessionList' }),
  errors: [],
})

export const endOtherSession = bodilessConsoleCall({
  ...CONSOLE_ROUTES.endOtherSession,
  summary: 'End one of one’s sessions',
  params: Type.Object({ sessionId: PathText(100) }),
  answer: Done,
  errors: ['person_not_found'],
})

export const beginConfirmation = bodilessConsoleCall({
  ...CONSOLE_ROUTES.beginConfirmation,
  summary: 'Begin to confirm with a passkey',
  params: NoPath,
  answer: Type.Object({ options: RequestOptions }, { ...closed, title: 'Confirmation' }),
  errors: [],
})

export const finishConfirmation = consoleCall({
  ...CONSOLE_ROUTES.finishConfirmation,
  summary: 'Confirm with a passkey: for five minutes refunds, keys, people, shops and passkeys can be changed',
  params: NoPath,
  body: Type.Object({ passkey: SignedChallenge }, closed),
  status: 200,
  answer: ConfirmationAnswer,
  errors: ['passkey_refused'],
})

export const PasskeyAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: Instant,
    lastUsedAt: Type.Optional(Instant),
    confirmsFrom: { ...Instant, description: 'From then on it confirms what moves money or gives access.' },
  },
  { ...closed, title: 'Passkey' },
)
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

export const listPasskeys = bodilessConsoleCall({
  ...CONSOLE_ROUTES.listPasskeys,
  summary: 'List one’s passkeys',
  params: NoPath,
  answer: Type.Object({ items: Type.Array(PasskeyAnswer) }, { ...closed, title: 'PasskeyList' }),
  errors: [],
})

const enrolmentErrors = ['passkey_needed', 'passkey_too_new', 'too_many_passkeys'] as const

export const beginEnrolment = bodilessConsoleCall({
  ...CONSOLE_ROUTES.beginEnrolment,
  summary: 'Begin to enrol a passkey',
  params: NoPath,
  answer: Type.Object({ options: CreationOptions }, { ...closed, title: 'Enrolment' }),
  errors: enrolmentErrors,
})

export const finishEnrolment = consoleCall({
  ...CONSOLE_ROUTES.finishEnrolment,
  summary: 'Enrol a passkey',
  params: NoPath,
  body: Type.Object({ passkey: NewCredential, name: PasskeyName }, closed),
  status: 201,
  answer: PasskeyAnswer,
  errors: [...enrolmentErrors, 'passkey_refused'],
})

export const removePasskey = bodilessConsoleCall({
  ...CONSOLE_ROUTES.removePasskey,
  summary: 'Remove one of one’s passkeys; the last one stays',
  params: Type.Object({ passkeyId: PathText(1400) }),
  answer: Done,
  errors: ['person_not_found', 'last_passkey'],
})
