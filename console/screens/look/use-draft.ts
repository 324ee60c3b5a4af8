/** The draft of a shop's settings: read, changed, saved. It stays while the person looks at other screens. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { removePicture, replacePicture } from '#contract/merchant/pictures.ts'
import { changeSettings, readSettings } from '#contract/merchant/settings.ts'
import type { Api, CallResult, ChosenShop } from '../../session/api.ts'
import { CallFailed, useApi } from '../../session/api-context.tsx'
import { useRefreshSession, useShop } from '../../session/session.tsx'
import { isChanged, newDraft, type Draft, type ReadSettings } from './draft.ts'
import { saveDraft, type Saved } from './save-draft.ts'

const read = async (api: Api, shop: ChosenShop, signal?: AbortSignal): Promise<CallResult<ReadSettings>> => {
  const result = await api.send(readSettings, {}, shop, signal)
  return result.ok ? { ...result, value: { settings: result.value, etag: result.headers.get('etag') ?? '*' } } : result
}

const useReadSettings = (): UseQueryResult<ReadSettings> => {
  const [api, shop] = [useApi(), useShop()]
  return useQuery<ReadSettings>({
    queryKey: [shop.label, 'settings under their ETag'],
    queryFn: async ({ signal }) => {
      const result = await read(api, shop, signal)
      if (!result.ok) throw new CallFailed(result.failure)
      return result.value
    },
  })
}

/** Kept beside what was read, so that it goes with that when the person signs out. */
const useKeptDraft = (label: string): readonly [draft: Draft | null, keep: (draft: Draft | null) => void] => {
  const queries = useQueryClient()
  const queryKey = ['draft of the settings', label]
  const { data } = useQuery<Draft | null>({
    queryKey,
    queryFn: () => null,
    enabled: false,
    initialData: null,
    gcTime: Infinity,
  })
  return [data, (draft) => void queries.setQueryData(queryKey, draft)]
}

/** Closing or reloading the tab would lose it: the browser asks before. */
const useAskBeforeUnload = (isAsking: boolean): void => {
  useEffect(() => {
    if (!isAsking) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAsking])
}

export interface EditedDraft {
  readonly draft: Draft
  change(draft: Draft): void
  discard(): void
  save(onSaved: () => void): void
  readonly isSaving: boolean
  /** Why the last saving was refused; null: it was not. */
  readonly refused: Saved['refused']
}

interface DraftReading {
  readonly data: EditedDraft | undefined
  readonly error: CallFailed | null
  refetch(): Promise<unknown>
}

export const useDraft = (): DraftReading => {
  const [api, shop] = [useApi(), useShop()]
  const refreshSession = useRefreshSession()
  const { data, error, refetch } = useReadSettings()
  const [kept, keep] = useKeptDraft(shop.label)
  const [isSaving, setSaving] = useState(false)
  const [refused, setRefused] = useState<Saved['refused']>(null)
  useAskBeforeUnload(kept !== null)
  if (data === undefined) return { data: undefined, error, refetch }

  const draft = kept ?? newDraft(data)
  const change = (changed: Draft): void => keep(isChanged(changed) ? changed : null)
  const save = async (onSaved: () => void): Promise<void> => {
    setSaving(true)
    const { left, refused: why } = await saveDraft(draft, {
      read: () => read(api, shop),
      change: (body, etag) => api.send(changeSettings, { body, headers: { 'if-match': etag } }, shop),
      changePicture: (picture, to) =>
        to === 'removed'
          ? api.send(removePicture, { params: { picture } }, shop)
          : api.send(replacePicture, { params: { picture }, file: to.file }, shop),
    })
    setRefused(why)
    change(left)
    await refetch()
    // The console shows the name of the shop.
    await refreshSession()
    setSaving(false)
    if (why === null) onSaved()
  }
  return {
    data: {
      draft,
      change,
      discard: () => {
        setRefused(null)
        keep(null)
      },
      save: (onSaved) => {
        if (!isSaving) void save(onSaved)
      },
      isSaving,
      refused,
    },
    error,
    refetch,
  }
}
