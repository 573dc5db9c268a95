import type { Command } from 'commander'
import { type Config, type ConfigError, LINKER_SETTINGS, readValidConfig } from '../../src/platform/config/config.ts'
import { SETTINGS, type SettingName } from '../../src/platform/config/settings.ts'
import { type Check, fail } from '../doctor/check.ts'
import { examineDatabase } from '../doctor/database.ts'
import { checkDataFolder, checkDependencies, checkDisk, checkMasterKey, checkNode } from '../doctor/machine.ts'
import {
  checkPort,
  checkProduction,
  checkPublicAddress,
  checkService,
  checkSimulator,
  checkWebhooks,
} from '../doctor/service.ts'
import { findRuntime } from '../runtime.ts'
import { shell } from '../shell.ts'
import { answer, answerJson, styled } from '../terminal.ts'
import { readVersion } from '../version.ts'

export function define(command: Command): void {
  command.action(async ({ json }: { readonly json?: true }) => {
    const report = await examine()
    if (!report.ok) shell().exitCode = 1
    if (json) return answerJson(report)
    for (const line of report.checks.flatMap(describe)) answer(line)
    answer('')
    answer(
      report.ok
        ? styled('green', 'Everything is fine.')
        : styled('red', 'Some checks failed. The lines with → say what to do.'),
    )
  })
}

async function examine() {
  const { config, errors } = readValidConfig(shell().env)
  const invalid = new Set(errors.flatMap(({ settings }) => settings))
  const running = await findRuntime(config.dataDir)
  const database = DATABASE_SETTINGS.some((name) => invalid.has(name)) ? NO_DATABASE : await examineDatabase(config)
  const made: readonly Check[] = [
    checkNode(),
    await checkDependencies(),
    await checkDataFolder(config),
    await checkDisk(config),
    await checkMasterKey(config),
    ...database.checks,
    await checkPort(config, running),
    await checkService(running),
    ...(await checkPublicAddress(running)),
    await checkSimulator(config, running),
    ...(await checkProduction(config)),
    ...checkWebhooks(config),
  ]
  const isMeaningful = ({ name }: Check): boolean => !SETTINGS_OF[name]?.some((setting) => invalid.has(setting))
  const unknown = config.unknownSettings.map((sentence) => fail('settings', sentence, 'Correct or unset it.'))
  const checks = [...errors.map(invalidSetting), ...unknown, ...made.filter(isMeaningful)]
  return {
    ok: checks.every((check) => check.ok),
    checks,
    service_url: running?.url ?? null,
    simulator_url: running?.simulator_url ?? null,
    versions: { laurel: readVersion(), node: process.versions.node, postgresql: database.version },
    database: { kind: database.kind, version: database.version },
    settings: listSettings(config),
  }
}

const DATABASE_SETTINGS: readonly SettingName[] = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL']
const NO_DATABASE = { checks: [], kind: 'given', version: null } as const

/**
 * The settings that each check depends on. A check is skipped if one of its settings is invalid, because it would
 * otherwise examine the default.
 */
const SETTINGS_OF: Readonly<Record<string, readonly SettingName[]>> = {
  'master key': ['LAUREL_MASTER_KEY'],
  secrets: ['LAUREL_MASTER_KEY'],
  port: ['HOST', 'PORT'],
  environments: LINKER_SETTINGS,
  simulator: LINKER_SETTINGS,
  'linking provider': LINKER_SETTINGS,
  production: LINKER_SETTINGS,
  webhooks: [...LINKER_SETTINGS, 'LAUREL_BASE_URL', 'HOST', 'PORT'],
}

function invalidSetting({ message }: ConfigError): Check {
  return fail('settings', message, 'Correct it. See docs/reference/settings.md for all settings.')
}

/** Returns every setting with its value or, for a secret, whether it is set. */
function listSettings(config: Config): Record<string, string | null> {
  return Object.fromEntries(
    SETTINGS.map(({ name, fallback, secret }) => {
      const value = shell().env[name] || fallback || null
      if (secret) return [name, value === null ? null : '(set)']
      return [name, name === 'LAUREL_DATA_DIR' ? config.dataDir : value]
    }),
  )
}

function describe({ name, ok, detail, remedy }: Check): string[] {
  const line = `${ok ? styled('green', '✓') : styled('red', '✗')} ${name.padEnd(16)} ${detail}`
  return remedy === null ? [line] : [line, `  ${' '.repeat(16)} ${styled('yellow', `→ ${remedy}`)}`]
}
