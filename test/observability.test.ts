import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import '../src/main.ts'
import { registry } from '../src/platform/telemetry/metrics.ts'

const ROOT = new URL('../', import.meta.url)
const readText = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
const rules: readonly Rule[] = parse(readText('deploy/observability/alerts.yml')).groups[0].rules
const { panels } = JSON.parse(readText('deploy/observability/dashboard.json')) as {
  panels: { targets: { expr: string }[] }[]
}
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map((one) => one.expr)),
]
const metrics = await registry.getMetricsAsJSON()

test('alert rules and the dashboard use only metrics that exist', () => {
  const known = new Map(metrics.map((metric) => [metric.name, metric]))
  for (const expr of expressions) {
    const named = [...expr.matchAll(/\b(?:laurel|nodejs)_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    )
    assert(named.length > 0 || expr.startsWith('up{'), expr)
    for (const name of named) assert(known.has(name), `${name} in ${expr} is no metric`)
  }
  assert(rules.length > 10 && panels.length > 10)
})

test('every laurel_ gauge has an alert or is on the dashboard', () => {
  const ours = metrics.filter(({ name, type }) => name.startsWith('laurel_') && String(type) === 'gauge')
  const unseen = ours.map(({ name }) => name).filter((name) => !expressions.some((expr) => expr.includes(name)))
  // The dashboard shows these counts in other ways.
  const spared = ['laurel_linker_items_due', 'laurel_linker_items_at_fault', 'laurel_linker_unmatched_refunds']
  assert.deepEqual(
    unseen.filter((name) => !spared.includes(name)),
    [],
  )
})

test('every alert describes the problem and links to a runbook', () => {
  for (const { alert, annotations } of rules) {
    assert.match(annotations.summary, /\.$/, alert)
    assert(existsSync(new URL(annotations.runbook, ROOT)), `${alert} leads to ${annotations.runbook}`)
  }
})
