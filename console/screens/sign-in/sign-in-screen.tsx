/** Sign-in screen: a passkey first, a link by mail second. */
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { askForLink } from '#contract/console/sign-in.ts'
import { Form } from '../../forms/form.tsx'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { CallFailed, useApi } from '../../session/api-context.tsx'
import { askForSignIn, signInWithPasskey } from '../../session/passkeys.ts'
import { useRefreshSession } from '../../session/session.tsx'
import { useAction, usePersonSend } from '../../session/use-calls.ts'
import { Panel } from '../../shell/panel.tsx'
import { Reading } from '../../shell/states.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { signInWords } from './words.ts'
import styles from './sign-in.module.css'

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

const LinkForm = ({ onSent }: { onSent(email: string): void }) => {
  const words = useWords(signInWords)
  const { locale } = useLanguage()
  const send = usePersonSend()
  const [email, setEmail] = useState('')
  const [isTried, setTried] = useState(false)
  const asking = useAction(
    () => send(askForLink, { body: { email: email.trim(), locale } }),
    () => onSent(email.trim()),
  )
  const isWrong = !isEmail(email.trim())
  return (
    <Form
      onSubmit={() => {
        setTried(true)
        if (!isWrong) asking.run()
      }}
      failure={asking.failure}
      actions={
        <Button kind="secondary" type="submit" busy={asking.isRunning} disabled={asking.isRunning}>
          {words.sendLink}
        </Button>
      }
    >
      <p className={styles['text']}>{words.linkLead}</p>
      <TextField
        label={words.email}
        value={email}
        onChange={setEmail}
        type="email"
        name="email"
        autoComplete="email"
        maxLength={254}
        problem={isTried && isWrong ? words.emailProblem : undefined}
      />
    </Form>
  )
}

const WithPasskey = () => {
  const words = useWords(signInWords)
  const api = useApi()
  const refresh = useRefreshSession()
  const signing = useAction(async () => {
    // A challenge is signed once: a second try asks for a new one.
    const begun = await askForSignIn(api)
    return begun.ok ? signInWithPasskey(api, begun.value.options) : begun
  }, refresh)
  const isCancelled = signing.failure?.code === 'passkey_needed'
  return (
    <div className={styles['part']}>
      <p className={styles['text']}>{words.lead}</p>
      {browserSupportsWebAuthn() ? (
        <Button
          kind="primary"
          type="button"
          onClick={signing.run}
          busy={signing.isRunning}
          disabled={signing.isRunning}
        >
          {words.withPasskey}
        </Button>
      ) : (
        <Notice kind="warning">{words.noPasskeys}</Notice>
      )}
      {isCancelled ? <Notice kind="error">{words.cancelled}</Notice> : <FailureNotice failure={signing.failure} />}
    </div>
  )
}

/** Whether a link by mail can be asked for: an installation may have switched it off. */
const useSendsLinks = () => {
  const api = useApi()
  return useQuery<boolean>({
    queryKey: ['sign-in'],
    queryFn: async () => {
      const begun = await askForSignIn(api)
      if (!begun.ok) throw new CallFailed(begun.failure)
      return begun.value.sendsLinks
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

interface SignInScreenProps {
  /** This tab has seen a session that is over. */
  readonly hasEnded?: boolean
  /** What signing in is for. */
  readonly lead?: string
}

export const SignInScreen = ({ hasEnded = false, lead }: SignInScreenProps) => {
  const words = useWords(signInWords)
  const sendsLinks = useSendsLinks()
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null)
    return (
      <Panel key="sent" title={words.sentTitle}>
        <div className={styles['part']}>
          <p>{words.sent(sentTo)}</p>
          <p className={styles['text']}>{words.sentHint}</p>
        </div>
        <Button kind="secondary" type="button" onClick={() => setSentTo(null)}>
          {words.another}
        </Button>
      </Panel>
    )
  return (
    <Panel key="sign-in" title={words.title}>
      {lead === undefined ? null : <Notice kind="info">{lead}</Notice>}
      {hasEnded ? <Notice kind="warning">{words.ended}</Notice> : null}
      <Reading of={sendsLinks}>
        {(isOffered) => (
          <>
            <WithPasskey />
            {isOffered ? (
              <>
                <p className={styles['or']}>{words.or}</p>
                <LinkForm onSent={setSentTo} />
              </>
            ) : null}
          </>
        )}
      </Reading>
    </Panel>
  )
}
