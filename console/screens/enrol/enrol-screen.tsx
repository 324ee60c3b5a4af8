/** Enrol screen: somebody who has signed in by a link makes a passkey before all else. */
import { useEffect } from 'react'
import type { SessionAnswer } from '#contract/console/person.ts'
import { Notice } from '../../forms/notice.tsx'
import { useRefreshSession } from '../../session/session.tsx'
import { Panel } from '../../shell/panel.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { EnrolForm } from './enrol-form.tsx'
import { enrolWords } from './words.ts'

export const EnrolScreen = ({ session: { person, isRecovery } }: { readonly session: SessionAnswer }) => {
  const words = useWords(enrolWords)
  const { setLocale } = useLanguage()
  useEffect(() => setLocale(person.locale), [setLocale, person.locale])
  const refresh = useRefreshSession()
  return (
    <Panel title={words.title}>
      <p>{words.lead}</p>
      {isRecovery ? <Notice kind="warning">{words.recovery}</Notice> : null}
      <EnrolForm onEnrolled={refresh} />
    </Panel>
  )
}
