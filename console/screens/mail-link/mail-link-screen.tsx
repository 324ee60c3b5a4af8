/** Screen of a link: says what it is for, and consumes it when a button is pressed. Opening it changes nothing. */
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { endSession } from '#contract/console/person.ts'
import { consumeLink, readLink, type LinkAnswer } from '#contract/console/sign-in.ts'
import { Form } from '../../forms/form.tsx'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { needsPasskey, useRefreshSession, useSessionState } from '../../session/session.tsx'
import { useAction, usePersonRead, usePersonSend } from '../../session/use-calls.ts'
import { Panel } from '../../shell/panel.tsx'
import { Failed, Loading } from '../../shell/states.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { useFailureText } from '../../words/use-failure-text.ts'
import { EnrolScreen } from '../enrol/enrol-screen.tsx'
import { SignInScreen } from '../sign-in/sign-in-screen.tsx'
import { linkWords } from './words.ts'
import styles from './link.module.css'

interface LinkTexts {
  readonly title: string
  readonly lead: readonly string[]
  readonly button: string
}

const useLinkTexts = ({ kind, email, shop, role, isRecovery }: LinkAnswer): LinkTexts => {
  const [words, { roles }] = [useWords(linkWords), useWords(sharedWords)]
  if (kind === 'setup') return { title: words.setupTitle, lead: [words.setupLead], button: words.setup }
  if (kind === 'invitation')
    return shop === null || role === null
      ? { title: words.operatorTitle, lead: [words.operatorLead(email ?? '')], button: words.join }
      : {
          title: words.invitationTitle(shop),
          lead: [words.invitationLead(email ?? '', roles[role])],
          button: words.join,
        }
  return isRecovery
    ? { title: words.recoveryTitle, lead: [words.signInLead(email ?? ''), ...words.recovery], button: words.recover }
    : { title: words.signInTitle, lead: [words.signInLead(email ?? '')], button: words.signIn }
}

interface UsableLinkProps {
  readonly token: string
  readonly link: LinkAnswer
}

const UsableLink = ({ token, link }: UsableLinkProps) => {
  const words = useWords(linkWords)
  const { title, lead, button } = useLinkTexts(link)
  const { locale } = useLanguage()
  const [send, refresh] = [usePersonSend(), useRefreshSession()]
  const [, navigate] = useLocation()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const needsEmail = link.kind === 'setup'
  const needsName = !link.isKnown
  const isEmailWrong = needsEmail && !/^[^\s@]+@[^\s@]+$/.test(email.trim())
  const isNameWrong = needsName && name.trim() === ''
  const using = useAction(
    () =>
      send(consumeLink, {
        body: {
          token,
          locale,
          ...(needsEmail ? { email: email.trim() } : {}),
          ...(needsName ? { name: name.trim() } : {}),
        },
      }),
    async () => {
      await refresh()
      navigate('/', { replace: true })
    },
  )
  return (
    <Panel title={title}>
      <Form
        onSubmit={() => {
          setTried(true)
          if (!isEmailWrong && !isNameWrong) using.run()
        }}
        failure={using.failure}
        actions={
          <Button kind="primary" type="submit" busy={using.isRunning} disabled={using.isRunning}>
            {button}
          </Button>
        }
      >
        {lead.map((text) => (
          <p key={text} className={styles['text']}>
            {text}
          </p>
        ))}
        {needsEmail ? (
          <TextField
            label={words.email}
            value={email}
            onChange={setEmail}
            type="email"
            name="email"
            autoComplete="email"
            maxLength={254}
            problem={isTried && isEmailWrong ? words.emailProblem : undefined}
          />
        ) : null}
        {needsName ? (
          <TextField
            label={words.name}
            value={name}
            onChange={setName}
            name="name"
            autoComplete="name"
            maxLength={100}
            hint={words.nameHint}
            problem={isTried && isNameWrong ? words.nameProblem : undefined}
          />
        ) : null}
      </Form>
    </Panel>
  )
}

const OfAnother = ({ email, signedIn }: { readonly email: string; readonly signedIn: string }) => {
  const words = useWords(linkWords)
  const [send, refresh] = [usePersonSend(), useRefreshSession()]
  const leaving = useAction(() => send(endSession), refresh)
  return (
    <Panel title={words.ofAnotherTitle}>
      <Notice kind="warning">{words.ofAnother(email, signedIn)}</Notice>
      <FailureNotice failure={leaving.failure} />
      <Button
        kind="secondary"
        type="button"
        onClick={leaving.run}
        busy={leaving.isRunning}
        disabled={leaving.isRunning}
      >
        {words.signOut}
      </Button>
    </Panel>
  )
}

/** An invitation of a person who exists is accepted by that very person alone: whoever else has the link does not join them. */
const InSessionOf = ({ email, children }: { readonly email: string; readonly children: ReactNode }) => {
  const words = useWords(linkWords)
  const state = useSessionState()
  switch (state.state) {
    case 'loading':
      return <Loading />
    case 'failed':
      return <Failed failure={state.failure} retry={state.retry} />
    case 'signed out':
      return <SignInScreen lead={words.signInFirst(email)} />
    case 'signed in': {
      const { session } = state
      if (session.person.email !== email) return <OfAnother email={email} signedIn={session.person.email} />
      return needsPasskey(session) ? <EnrolScreen session={session} /> : children
    }
  }
}

export const LinkScreen = ({ token }: { readonly token: string }) => {
  const words = useWords(linkWords)
  const textOf = useFailureText()
  const { data, error, refetch } = usePersonRead(readLink, { body: { token } })
  if (data !== undefined) {
    const usable = <UsableLink key="link" token={token} link={data} />
    return data.kind === 'invitation' && data.isKnown ? (
      <InSessionOf email={data.email ?? ''}>{usable}</InSessionOf>
    ) : (
      usable
    )
  }
  if (error === null)
    return (
      <Panel key="checking" title={words.checking}>
        <Loading />
      </Panel>
    )
  return (
    <Panel key="dead" title={words.deadTitle}>
      {error.failure.code === 'link_not_usable' ? (
        <>
          <Notice kind="warning">{textOf(error.failure)}</Notice>
          <Link href="/">{words.toSignIn}</Link>
        </>
      ) : (
        <Failed failure={error.failure} retry={() => void refetch()} />
      )}
    </Panel>
  )
}
