/** The host of a chat, on npm's @modelcontextprotocol/ext-apps: it shows a page as a chat does, and passes on its calls. */

import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** Shows the page of a tool. */
globalThis.showPage = async ({ html, input, result, hostContext }) => {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  document.body.style.margin = frame.style.border = "0";
  frame.style.width = "100%";
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "host", version: "1" }, { serverTools: {} }, { hostContext });
  bridge.oncalltool = async (params) => {
    const answer = await fetch("/call", { method: "POST", body: JSON.stringify(params) });
    return answer.json();
  };
  bridge.onsizechange = ({ height }) => (frame.style.height = `${height}px`);
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
};
