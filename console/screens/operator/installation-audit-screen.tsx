/** Audit screen of the operator: what people have changed that belongs to no shop, the newest first. */
import { listInstallationAudit } from '#contract/console/audit.ts'
import { usePersonReadPages } from '../../session/use-calls.ts'
import { useWords } from '../../words/language.tsx'
import { AuditList } from '../people/audit-list.tsx'
import { OperatorFrame } from './operator-frame.tsx'
import { operatorWords } from './words.ts'

export const InstallationAuditScreen = () => {
  const words = useWords(operatorWords)
  const lines = usePersonReadPages(['installation-audit'], (api, after, signal) =>
    api.send(listInstallationAudit, { query: after === undefined ? {} : { after } }, undefined, signal),
  )
  return (
    <OperatorFrame>
      <AuditList
        lead={words.auditLead}
        lines={lines}
        addressOf={(personId) => personId}
        subjectOf={({ subject }) => subject}
        hasModes={false}
      />
    </OperatorFrame>
  )
}
