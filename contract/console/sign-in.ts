/** Signing in: a link that is asked for, looked at and used, or a passkey. */
import { Type, type Static } from 'typebox'
import { NoPath } from '../calls.ts'
import { bodilessConsoleCall, consoleCall } from './calls.ts'
import { closed, Done, Email, LocaleField, PersonName, RoleField } from './fields.ts'
import { CONSOLE_ROUTES } from './paths.ts'
import { RequestOptions, SignedChallenge } from './webauthn.ts'

const LINK_KINDS = ['setup', 'sign_in', 'invitation'] as const
export type LinkKind = (typeof LINK_KINDS)[number]
export const isLinkKind = (value: string): value is LinkKind => LINK_KINDS.some((kind) => kind === value)

/** The first part of a link's path at the console's host; its token is the second. */
export const LINK_PATHS: Readonly<Record<LinkKind, string>> = {
  setup: '/setup/',
  sign_in: '/sign-in/',
  invitation: '/invitation/',
}

const Token = Type.String({ minLength: 1, maxLength: 64, description: 'The end of the link’s address.' })

/** The same answer whether the address is known or not. */
export const askForLink = consoleCall({
  ...CONSOLE_ROUTES.askForLink,
  summary: 'Ask for a link by mail that signs in within ten minutes, in this browser',
  params: NoPath,
  body: Type.Object({ email: Email, locale: LocaleField }, closed),
  status: 200,
  answer: Done,
  errors: ['too_many_tries'],
})

export const LinkAnswer = Type.Object(
  {
    kind: Type.Enum([...LINK_KINDS]),
    email: Type.Union([Type.String(), Type.Null()], { description: 'Whose link it is; null: of a setup.' }),
    shop: Type.Union([Type.String(), Type.Null()], { description: 'The name of the shop of an invitation.' }),
    role: Type.Union([RoleField, Type.Null()], { description: 'Null: an operator of the installation.' }),
    isKnown: Type.Boolean({
      description: 'Whether this person exists already and needs no name. They accept it in a session of theirs.',
    }),
    isRecovery: Type.Boolean({ description: 'Whether using it ends all sessions of the person and tells the owners.' }),
  },
  { ...closed, title: 'Link' },
)
export type LinkAnswer = Static<typeof LinkAnswer>

/** Changes nothing: mail scanners open links too. */
export const readLink = consoleCall({
  ...CONSOLE_ROUTES.readLink,
  summary: 'Read what a link is for',
  params: NoPath,
  body: Type.Object({ token: Token }, closed),
  status: 200,
  answer: LinkAnswer,
  errors: ['link_not_usable'],
})

export const ConsumeLinkBody = Type.Object(
  {
    token: Token,
    email: Type.Optional({ ...Email, description: 'Of a setup alone: the address of the first person.' }),
    name: Type.Optional({ ...PersonName, description: 'Of a person who does not exist yet.' }),
    locale: Type.Optional(LocaleField),
  },
  closed,
)
export type ConsumeLinkBody = Static<typeof ConsumeLinkBody>

export const consumeLink = consoleCall({
  ...CONSOLE_ROUTES.consumeLink,
  summary: 'Consume a link: a session begins; the invitation of a person who exists is accepted in a session of theirs',
  params: NoPath,
  body: ConsumeLinkBody,
  status: 200,
  answer: Done,
  // The last three are of the invitation of a person who exists. The link still works then.
  errors: ['link_not_usable', 'too_many_tries', 'signed_out', 'passkey_needed', 'passkey_too_new'],
})

export const beginSignIn = bodilessConsoleCall({
  ...CONSOLE_ROUTES.beginSignIn,
  summary: 'Begin to sign in with a passkey',
  params: NoPath,
  answer: Type.Object(
    {
      options: RequestOptions,
      sendsLinks: Type.Boolean({ description: 'Whether a link by mail can be asked for instead.' }),
    },
    { ...closed, title: 'SignIn' },
  ),
  errors: [],
})

export const finishSignIn = consoleCall({
  ...CONSOLE_ROUTES.finishSignIn,
  summary: 'Sign in with a passkey: a session begins',
  params: NoPath,
  body: Type.Object({ passkey: SignedChallenge }, closed),
  status: 200,
  answer: Done,
  errors: ['passkey_refused', 'too_many_tries'],
})
