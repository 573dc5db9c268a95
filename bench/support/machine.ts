import { cpus, totalmem } from 'node:os'

/** Describes the machine, without which the numbers mean little. */
export function describeMachine(serverVersion: string): Record<string, string> {
  const cores = cpus()
  return {
    processor: `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${process.arch}`,
    Node: process.versions.node,
    PostgreSQL: `${serverVersion}, embedded, fsync on`,
  }
}
