import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk in memory of so few megabytes that it can be filled. */
export interface SmallDisk {
  path: string
  /** Leaves no byte. */
  fill(): void
  /** There is room again. */
  free(): void
  readOnly(isSo: boolean): void
  remove(): void
}

/** Null, with a line that says so, where this user may not mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'tirage-disk-'))
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' })
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tirage-test', path)
  } catch {
    rmSync(path, { recursive: true })
    console.log('skipped: only root on Linux can mount a small disk to fill it')
    return null
  }
  const ballast = join(path, '.ballast')
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(size))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    readOnly: (isSo) => run('mount', '-o', `remount,${isSo ? 'ro' : 'rw'}`, path),
    remove() {
      run('umount', '--lazy', path)
      rmSync(path, { recursive: true })
    },
  }
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece)
  } catch {
    // It is full.
  }
}
