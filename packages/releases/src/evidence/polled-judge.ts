// The part that judges which poll a provider have in common: who is being judged, when to ask again, what is too old.
import type { Clock, Timer } from "@chaski/clock";
import type { Evidence } from "../engine/world.ts";
import type { Judge, Subject } from "./judge.ts";

export interface PolledJudgeOptions<Answer> {
  readonly name: string;
  readonly clock: Clock;
  /** Between two questions of the same text. */
  readonly everyMs: number;
  /** What is not answered by then is unknown. */
  readonly deadlineMs: number;
  /** Subjects with the same question share its answer. */
  readonly questionFor: (subject: Subject) => string;
  /** Rejects when there is no answer; the error's message is shown to people. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<Answer>;
  /** Alerts speak against the subject; none is a pass. */
  readonly alertsIn: (answer: Answer, subject: Subject) => readonly string[];
}

/** A verdict says nothing about a revision half a minute later. */
const FRESH_MS = 30_000;
/** A subject that nobody has asked about for this long is not being judged any more. */
export const INTEREST_MS = 60_000;
const QUESTIONS_MAX = 1_000;
const CAUSE_MAX = 200;

export class PolledJudge<Answer> implements Judge {
  readonly #options: PolledJudgeOptions<Answer>;
  readonly #questions = new Map<string, Question<Answer>>();
  readonly #listeners = new Set<(subjects: readonly Subject[]) => void>();
  #isStopped = false;

  constructor(options: PolledJudgeOptions<Answer>) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** How many questions are being asked. */
  get size(): number {
    return this.#questions.size;
  }

  evidenceOf(subject: Subject): Evidence {
    const text = this.#options.questionFor(subject);
    const question = this.#questions.get(text) ?? this.#begin(text);
    return question?.evidenceOf(subject) ?? this.#unknown();
  }

  subscribe(listener: (subjects: readonly Subject[]) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  stop(): void {
    this.#isStopped = true;
    for (const question of this.#questions.values()) question.stop();
    this.#questions.clear();
  }

  #begin(text: string): Question<Answer> | undefined {
    if (this.#isStopped || this.#questions.size >= QUESTIONS_MAX) return undefined;
    const question = new Question(text, this.#options, {
      onNews: (subjects) => this.#listeners.forEach((listener) => listener(subjects)),
      onForgotten: () => this.#questions.delete(text),
    });
    this.#questions.set(text, question);
    return question;
  }

  #unknown(): Evidence {
    const cause = this.#isStopped ? "stopped" : `${QUESTIONS_MAX} other revisions are being judged`;
    return { judge: this.name, verdict: "unknown", cause };
  }
}

interface QuestionEvents {
  onNews(subjects: readonly Subject[]): void;
  onForgotten(): void;
}

interface Judged {
  readonly subject: Subject;
  askedAtMs: number;
  told: Evidence;
}

type Answered<Answer> = { readonly answer: Answer; readonly atMs: number } | { readonly failure: string };

/** One question, asked again and again for as long as somebody wants to know. */
class Question<Answer> {
  readonly #text: string;
  readonly #options: PolledJudgeOptions<Answer>;
  readonly #events: QuestionEvents;
  readonly #judged = new Map<string, Judged>();
  readonly #stop = new AbortController();
  #last: Answered<Answer> = { failure: "not answered yet" };
  #timer: Timer | undefined;

  constructor(text: string, options: PolledJudgeOptions<Answer>, events: QuestionEvents) {
    this.#text = text;
    this.#options = options;
    this.#events = events;
    void this.#poll();
  }

  evidenceOf(subject: Subject): Evidence {
    const askedAtMs = this.#options.clock.monotonic();
    const key = `${subject.app}\n${subject.tag}`;
    const judged = this.#judged.get(key);
    if (judged) judged.askedAtMs = askedAtMs;
    const told = this.#evidence(subject, judged?.told);
    this.#judged.set(key, { subject, askedAtMs, told });
    return told;
  }

  stop(): void {
    this.#stop.abort(new Error("stopped"));
    this.#timer?.cancel();
  }

  async #poll(): Promise<void> {
    const { clock, everyMs } = this.#options;
    const startedAtMs = clock.monotonic();
    this.#last = await this.#answer(startedAtMs);
    if (this.#stop.signal.aborted) return;
    this.#forgetOld();
    if (this.#judged.size === 0) return this.#events.onForgotten();
    this.#timer = clock.after(startedAtMs + everyMs - clock.monotonic(), () => void this.#poll());
    this.#tellNews();
  }

  async #answer(atMs: number): Promise<Answered<Answer>> {
    const { clock, deadlineMs, ask } = this.#options;
    using deadline = clock.deadline(deadlineMs);
    const signal = AbortSignal.any([deadline.signal, this.#stop.signal]);
    try {
      return { answer: await unlessAborted(ask(this.#text, signal), signal), atMs };
    } catch (error) {
      return { failure: deadline.signal.aborted ? `no answer within ${deadlineMs / 1_000} s` : wordsOf(error) };
    }
  }

  #forgetOld(): void {
    const nowMs = this.#options.clock.monotonic();
    for (const [key, { askedAtMs }] of this.#judged) if (nowMs - askedAtMs > INTEREST_MS) this.#judged.delete(key);
  }

  /** Also to those who have not asked for a while: they are forgotten if they do not ask again. */
  #tellNews(): void {
    const nowMs = this.#options.clock.monotonic();
    const news = [...this.#judged.values()].filter((judged) => {
      const before = judged.told;
      judged.told = this.#evidence(judged.subject, before);
      return judged.told !== before || nowMs - judged.askedAtMs > INTEREST_MS / 2;
    });
    if (news.length > 0) this.#events.onNews(news.map(({ subject }) => subject));
  }

  /** The very same value as before where nothing has changed. */
  #evidence(subject: Subject, before: Evidence | undefined): Evidence {
    const now = this.#verdict(subject);
    if (before && isSame(before, now)) return before;
    const sinceMs = before?.verdict === now.verdict ? before.sinceMs : undefined;
    return { ...now, sinceMs: sinceMs ?? this.#options.clock.now() };
  }

  #verdict(subject: Subject): Evidence {
    const { name: judge, clock, alertsIn } = this.#options;
    if ("failure" in this.#last) return { judge, verdict: "unknown", cause: this.#last.failure };
    const { answer, atMs } = this.#last;
    if (clock.monotonic() - atMs > FRESH_MS) {
      return { judge, verdict: "unknown", cause: `the last answer is older than ${FRESH_MS / 1_000} s` };
    }
    const alerts = alertsIn(answer, subject);
    return alerts.length > 0 ? { judge, verdict: "fail", alerts } : { judge, verdict: "pass" };
  }
}

function isSame(a: Evidence, b: Evidence): boolean {
  return a.verdict === b.verdict && a.cause === b.cause && a.alerts?.join("\n") === b.alerts?.join("\n");
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  return Promise.race([work, promise]);
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, CAUSE_MAX);
}
