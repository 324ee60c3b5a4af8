/** The settings of the shop, read once for every screen that shows them. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { readSettings, type SettingsAnswer } from '#contract/merchant/settings.ts'
import type { Api, CallResult, ChosenShop } from './api.ts'
import { CallFailed, useApi } from './api-context.tsx'
import { useShop } from './session.tsx'

/** The settings, and the ETag that names this state of them. */
export interface ReadSettings {
  readonly settings: SettingsAnswer
  readonly etag: string
}

export const sendReadSettings = async (
  api: Api,
  shop: ChosenShop,
  signal?: AbortSignal,
): Promise<CallResult<ReadSettings>> => {
  const result = await api.send(readSettings, {}, shop, signal)
  return result.ok ? { ...result, value: { settings: result.value, etag: result.headers.get('etag') ?? '*' } } : result
}

export const settingsKey = ({ label }: Pick<ChosenShop, 'label'>): readonly string[] => [label, 'settings']

export const useReadSettings = (): UseQueryResult<ReadSettings> => {
  const [api, shop] = [useApi(), useShop()]
  return useQuery<ReadSettings>({
    queryKey: settingsKey(shop),
    queryFn: async ({ signal }) => {
      const result = await sendReadSettings(api, shop, signal)
      if (!result.ok) throw new CallFailed(result.failure)
      return result.value
    },
  })
}
