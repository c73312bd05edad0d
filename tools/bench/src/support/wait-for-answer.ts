import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

/** Resolves once the URL answers 200. */
export async function waitForAnswer(url: string): Promise<void> {
  const deadlineMs = Date.now() + DEADLINE_MS;
  while (!(await answers(url))) {
    if (Date.now() > deadlineMs) throw new Error(`${url} did not answer 200 in time`);
    await sleep(50);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
