import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** When a process began. It tells a process from a later one with the same id. `null`: there is no such process. */
export function beginningOf(pid: number): string | null {
  return process.platform === 'linux' ? linuxBeginning(pid) : listed(pid, 'lstart')
}

function linuxBeginning(pid: number): string | null {
  try {
    // The name in parentheses may contain spaces, so fields are counted after it. The 22nd is the beginning, in clock ticks since boot.
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return afterName[0] === 'Z' ? null : (afterName[19] ?? null)
  } catch {
    return null
  }
}

/** Whether the process is the PostgreSQL server (not one of its children) that we started on this folder. */
export function isServerIn(pid: number, folder: string): boolean {
  return commandOf(pid).includes(` -D ${folder} `)
}

/** Everybody may read the command line of a process, but only its user may read its current folder. */
function commandOf(pid: number): string {
  if (process.platform !== 'linux') return `${listed(pid, 'command')} `
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function listed(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}
