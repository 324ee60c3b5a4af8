/** Notice: something that a person should know here, and why a call was refused. */
import type { ReactNode } from 'react'
import type { CallFailure } from '../session/api.ts'
import { useFailureText } from '../words/use-failure-text.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

interface NoticeProps {
  readonly kind: 'info' | 'warning' | 'error' | 'success'
  readonly children: ReactNode
}

export const Notice = ({ kind, children }: NoticeProps) => (
  <div
    className={`${styles['notice']} ${kind === 'info' ? '' : styles[kind]}`}
    role={kind === 'error' ? 'alert' : undefined}
  >
    {kind === 'info' ? null : <Icon name={kind === 'success' ? 'check' : 'warning'} />}
    <div>{children}</div>
  </div>
)

/** Why the last action was refused; nothing where it was not. */
export const FailureNotice = ({ failure }: { readonly failure: CallFailure | null }) => {
  const textOf = useFailureText()
  return failure === null ? null : (
    <Notice kind="error">
      <p>{textOf(failure)}</p>
    </Notice>
  )
}
