/** States of a screen or of a card: loading, empty, failed, not allowed. Every screen has all four. */
import type { ReactNode } from 'react'
import { Button } from '../forms/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { hasRole, type Role } from '#contract/console/roles.ts'
import { isMissing } from '../session/next-reading.ts'
import { Icon, type IconName } from '../forms/icon.tsx'
import type { CallFailure } from '../session/api.ts'
import type { CallFailed } from '../session/api-context.tsx'
import { useShop } from '../session/session.tsx'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import type { FailureCode } from '../words/error-words.ts'
import { useFailureText } from '../words/use-failure-text.ts'
import { Screen } from './screen.tsx'
import styles from './states.module.css'

interface StateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

const State = ({ icon, title, children, action }: StateProps) => (
  <div className={styles['state']}>
    <Icon name={icon} size={28} />
    <p className={styles['title']}>
      <strong>{title}</strong>
    </p>
    {children === undefined ? null : <p className={styles['text']}>{children}</p>}
    {action === undefined ? null : <div className={styles['action']}>{action}</div>}
  </div>
)

export const Loading = () => {
  const { loading } = useWords(sharedWords)
  return (
    <div className={styles['state']}>
      <Spinner label={loading} size="small" />
    </div>
  )
}

/** Nothing is there yet: says so, and how something comes there. */
export const Empty = ({ icon = 'checkouts', ...state }: Omit<StateProps, 'icon'> & { readonly icon?: IconName }) => (
  <State icon={icon} {...state} />
)

/** Asking once more from this script does not help. */
const NEEDS_RELOAD: ReadonlySet<FailureCode> = new Set(['unreadable_answer', 'screen_not_loaded', 'screen_failed'])

/** A reading was refused, or nobody answered. */
export const Failed = ({ failure, retry }: { readonly failure: CallFailure; retry(): void }) => {
  const words = useWords(sharedWords)
  const textOf = useFailureText()
  const reloads = NEEDS_RELOAD.has(failure.code)
  return (
    <div role="alert">
      <State
        icon="warning"
        title={words.failedTitle}
        action={
          isMissing(failure) ? undefined : (
            <Button kind="secondary" type="button" onClick={reloads ? () => window.location.reload() : retry}>
              {reloads ? words.reload : words.retry}
            </Button>
          )
        }
      >
        {textOf(failure)}
      </State>
    </div>
  )
}

const NotAllowed = ({ needed }: { readonly needed: Role }) => {
  const words = useWords(sharedWords)
  return (
    <Screen title={words.notAllowedTitle}>
      <State icon="key" title={words.notAllowedText[needed]} />
    </Screen>
  )
}

/** Shows its children to those who have the role at the shop of the screen, and says to others what they lack. */
export const ForRole = ({ needed, children }: { readonly needed: Role; readonly children: ReactNode }) =>
  hasRole(useShop().role, needed) ? children : <NotAllowed needed={needed} />

interface ReadAgainProps {
  readonly of: {
    readonly error: CallFailed | null
    refetch(): Promise<unknown>
    /** Of a list: it was its next page that could not be read. */
    readonly isFetchNextPageError?: boolean
    fetchNextPage?(): Promise<unknown>
  }
}

/** Beside what was read before: that it is old, or not all of it. */
export const NotReadAgain = ({ of }: ReadAgainProps) => {
  const words = useWords(sharedWords)
  const textOf = useFailureText()
  const { error, refetch, isFetchNextPageError = false, fetchNextPage } = of
  if (error === null) return null
  const retry = isFetchNextPageError && fetchNextPage !== undefined ? fetchNextPage : refetch
  const reloads = NEEDS_RELOAD.has(error.failure.code)
  return (
    <div className={styles['notReadAgain']} role="alert">
      <Icon name="warning" />
      <p>
        {isFetchNextPageError ? words.moreNotRead : words.notReadAgain} {textOf(error.failure)}
      </p>
      <Button kind="secondary" type="button" onClick={() => (reloads ? window.location.reload() : void retry())}>
        {reloads ? words.reload : words.retry}
      </Button>
    </div>
  )
}

interface ReadingProps<T> {
  readonly of: ReadAgainProps['of'] & { readonly data: T | undefined }
  children(data: T): ReactNode
}

/** What was read, or that it is being read, or why it cannot be. What is there stays, and says when it could not be read again. */
export const Reading = <T,>({ of, children }: ReadingProps<T>) => {
  const { data, error, refetch, isFetchNextPageError = false } = of
  if (data !== undefined)
    return (
      <>
        {isFetchNextPageError ? null : <NotReadAgain of={of} />}
        {children(data)}
        {isFetchNextPageError ? <NotReadAgain of={of} /> : null}
      </>
    )
  return error === null ? <Loading /> : <Failed failure={error.failure} retry={() => void refetch()} />
}
