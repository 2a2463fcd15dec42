/** Updates that leave app and targets alone, but for the progress of an external test, are not asked about (D-33). */
export const revisionMatchConditions = [
  {
    name: "changes-the-release",
    expression: [
      "request.operation != 'UPDATE'",
      "object.spec.app != oldObject.spec.app",
      "size(object.spec.targets) != size(oldObject.spec.targets)",
      `!object.spec.targets.all(target, oldObject.spec.targets.exists(old, old.name == target.name
        && target.all(field, field == 'externalTest' || (field in old && old[field] == target[field]))
        && old.all(field, field == 'externalTest' || field in target)))`,
    ]
      .map((condition) => `(${condition.replaceAll(/\s+/g, " ")})`)
      .join(" || "),
  },
] as const;
