#include "commands/schema.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::cli {
namespace {

using Names = std::vector<std::string>;

class Schemas : public testing::Test {
 protected:
  Schemas() : folder_(*os::TempDir::Create("kb-schemas")) {
    Write("kernel.json",
          R"({"$id": "urn:kernelbench:kernel:1", "type": "string"})");
    Write("device.json",
          R"({"$id": "urn:kernelbench:device:1", "title": "a device"})");
  }

  void Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(os::WriteFileAtomically(folder_.path() + "/" + name, text));
  }
  base::Json Of(const std::string& name) const {
    const auto schema = SchemaOf(folder_.path(), name);
    EXPECT_TRUE(schema) << schema.error().message();
    return schema ? *schema : base::Json();
  }
  base::Error WhyNot(const std::string& name) const {
    const auto schema = SchemaOf(folder_.path(), name);
    EXPECT_FALSE(schema);
    return schema ? base::Error("") : schema.error();
  }

  os::TempDir folder_;
};

TEST_F(Schemas, AreNamedAsTheirFilesInOrder) {
  Write("audit.json", "{}");
  Write("notes.md", "text");
  Write("json", "no ending");
  const auto names = SchemaNames(folder_.path());
  ASSERT_TRUE(names) << names.error().message();
  EXPECT_EQ(*names, (Names{"audit", "device", "kernel"}));
}

TEST_F(Schemas, OfAFolderThatIsNotThereAreOurFailure) {
  const std::string none = folder_.path() + "/none";
  const auto names = SchemaNames(none);
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().kind(), base::Error::Kind::kFailure);
  EXPECT_NE(names.error().message().find(none), std::string::npos);
  EXPECT_FALSE(SchemaOf(none, "kernel"));
}

TEST_F(Schemas, WithoutReferencesStayAsTheyAre) {
  EXPECT_EQ(Of("kernel"),
            base::Json::parse(
                R"({"$id": "urn:kernelbench:kernel:1", "type": "string"})"));
}

TEST_F(Schemas, HoldThoseThatTheyReferTo) {
  Write("list.json", R"({"$id": "urn:kernelbench:list:1", "properties": {
      "kernels": {"type": "array", "items":
          {"$ref": "urn:kernelbench:kernel:1"}},
      "either": {"anyOf": [{"type": "null"},
          {"$ref": "urn:kernelbench:device:1"}]},
      "again": {"$ref": "urn:kernelbench:kernel:1"}}})");
  const base::Json schema = Of("list");
  EXPECT_EQ(schema["$id"], "urn:kernelbench:list:1");
  ASSERT_EQ(schema["$defs"].size(), 2U);
  EXPECT_EQ(schema["$defs"]["kernel"], Of("kernel"));
  EXPECT_EQ(schema["$defs"]["device"], Of("device"));
}

TEST_F(Schemas, HoldWhatThoseReferToInTheirTurn) {
  Write("outer.json", R"({"items": {"$ref": "urn:kernelbench:inner:1"}})");
  Write("inner.json", R"({"anyOf": [{"$ref": "urn:kernelbench:kernel:1"},
      {"$ref": "urn:kernelbench:inner:1"},
      {"$ref": "urn:kernelbench:outer:1"}]})");
  const base::Json schema = Of("outer");
  EXPECT_EQ(schema["$defs"].size(), 2U) << schema;
  EXPECT_TRUE(schema["$defs"].contains("inner"));
  EXPECT_EQ(schema["$defs"]["kernel"], Of("kernel"));
}

TEST_F(Schemas, MayHaveAPropertyOfTheNameOfAReference) {
  const char* text = R"({"properties": {"$ref": {"type": "string"}}})";
  Write("plain.json", text);
  EXPECT_EQ(Of("plain"), base::Json::parse(text));
}

TEST_F(Schemas, KeepDefinitionsOfTheirOwn) {
  Write("mine.json", R"({"$defs": {"time": {"type": "number"}}, "items":
      {"$ref": "urn:kernelbench:device:1"}})");
  const base::Json schema = Of("mine");
  EXPECT_EQ(schema["$defs"]["time"]["type"], "number");
  EXPECT_EQ(schema["$defs"]["device"]["title"], "a device");
}

TEST_F(Schemas, ReferencesWithinOneAndToOthersAreLeftAlone) {
  const char* text = R"({"$defs": {"time": {"type": "number"}}, "items":
      [{"$ref": "#/$defs/time"}, {"$ref": "#"},
       {"$ref": "https://json-schema.org/draft/2020-12/schema"}]})";
  Write("plain.json", text);
  EXPECT_EQ(Of("plain"), base::Json::parse(text));
}

TEST_F(Schemas, ThatReferToNothingNameWhatIsMissing) {
  Write("torn.json", R"({"items": {"$ref": "urn:kernelbench:gone:1"}})");
  EXPECT_NE(WhyNot("torn").message().find("gone.json"), std::string::npos);
}

TEST_F(Schemas, ThatAreNotThereAreAUsageErrorThatListsTheOthers) {
  for (const char* name : {"kernels", "../kernel", "kernel.json"}) {
    const base::Error error = WhyNot(name);
    EXPECT_EQ(error.kind(), base::Error::Kind::kUsage);
    EXPECT_NE(error.message().find(name), std::string::npos);
    EXPECT_NE(error.message().find("device, kernel"), std::string::npos);
  }
}

TEST_F(Schemas, ThatAreNoJsonAreNamed) {
  Write("broken.json", "{");
  EXPECT_NE(WhyNot("broken").message().find("broken.json"), std::string::npos);
  Write("user.json", R"({"items": {"$ref": "urn:kernelbench:broken:1"}})");
  EXPECT_NE(WhyNot("user").message().find("broken.json"), std::string::npos);
}

}  // namespace
}  // namespace kb::cli
