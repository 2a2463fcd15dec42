import type { Dispatcher } from "undici";
import DecoratorHandler from "undici/lib/handler/decorator-handler.js";

type Handler = Dispatcher.DispatchHandler;

/** Calls a request's `onStart` right before its first byte is written; if that throws, nothing is. */
export function announceStart(dispatch: Dispatcher["dispatch"]): Dispatcher["dispatch"] {
  return (options, handler) => {
    const { onStart } = options as { readonly onStart?: () => void };
    return dispatch(options, onStart ? announcing(handler, onStart) : handler);
  };
}

function announcing(handler: Handler, onStart: () => void): Handler {
  const decorated: Handler = new DecoratorHandler(handler);
  const start = decorated.onRequestStart?.bind(decorated);
  decorated.onRequestStart = (controller, context) => {
    onStart();
    start?.(controller, context);
  };
  return decorated;
}
